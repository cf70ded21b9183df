// The code of the worker. A bundler that makes its own workers starts from this module.
import { platform } from '#platform';
import { Service } from './service.js';

new Service(platform.scope());
