// The scenarios that the page starts from.

export interface Preset {
  preset: PresetName;
  apps: number;
  /** Affinity limits per app / number of apps. */
  density: number;
  seed: number;
}

interface About {
  title: string;
  /** Number of apps and density of a generated workload; absent where the preset is one fixed scenario. */
  drawn?: { apps: number; density: number };
}

export const PRESETS = {
  shop: { title: 'A shop: 12 apps to read' },
  tight: { title: 'A cluster that is too small' },
  half: { title: 'A running cluster, half empty' },
  zones: { title: 'Zone rules that cost money' },
  effects: { title: 'Side effects: who disturbs whom' },
  uncertain: { title: 'Uncertain demand' },
  racks: { title: 'Placement rules: HBase in four racks' },
  periods: { title: 'Peaks over a day', drawn: { apps: 400, density: 0.01 } },
  dense: { title: 'Published densities, up to 100,000 apps', drawn: { apps: 1000, density: 0.01 } },
} as const satisfies Record<string, About>;

export type PresetName = keyof typeof PRESETS;
export const PRESET_NAMES = Object.keys(PRESETS) as PresetName[];
export const drawnOf = (name: PresetName): About['drawn'] => (PRESETS[name] as About).drawn;
