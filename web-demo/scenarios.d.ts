// What scripts/scenarios.ts makes.
declare module 'virtual:scenarios' {
  import type { InstanceColumns } from 'stowage';
  import type { PresetName } from './src/presets.js';

  export const scenarios: Partial<Record<PresetName, InstanceColumns>>;
}
