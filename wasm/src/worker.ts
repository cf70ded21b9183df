// The entry module of the worker, also for bundlers that create workers themselves.
import { platform } from '#platform';
import { Service } from './service.js';

new Service(platform.scope());
