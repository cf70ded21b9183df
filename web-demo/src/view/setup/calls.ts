import type { AppDetail, Edit, InstanceFormat, PlanFormat } from '../../desk/protocol.js';
import type { Preset } from '../../presets.js';
import type { NamedRequest } from '../../requests.js';

/** What the input of planning asks of the page. */
export interface SetupCalls {
  generate(preset: Preset): void;
  edit(edit: Edit, label: string): void;
  appDetail(app: number): Promise<AppDetail>;
  open(files: FileList | readonly File[]): void;
  saveInstance(format: InstanceFormat): void;
  savePlan(format: PlanFormat): void;
  switchTo(scenario: number): void;
  run(requests: NamedRequest[]): void;
  cancel(): void;
}
