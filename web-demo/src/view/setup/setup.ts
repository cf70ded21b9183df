// The input of planning: workload, planners, node classes, apps and files.
import type { Store } from '../../state.js';
import { buildApps } from './apps.js';
import type { SetupCalls } from './calls.js';
import { buildClasses } from './classes.js';
import { buildFiles } from './files.js';
import { buildPlanners } from './planners.js';
import { buildWorkload } from './workload.js';

export class SetupView {
  /** Functions that build parts of the page, each short enough for one task. */
  readonly parts: readonly (() => void)[];
  /** Opens the editor for an app or for a new app. */
  editApp: (app: number | undefined) => void = () => undefined;

  constructor(store: Store, calls: SetupCalls) {
    this.parts = [
      () => buildWorkload(store, calls),
      () => buildPlanners(store, calls),
      () => buildClasses(store, calls),
      () => (this.editApp = buildApps(store, calls)),
      () => buildFiles(store, calls),
    ];
  }
}
