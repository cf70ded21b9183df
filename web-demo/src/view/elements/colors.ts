/** A colour per app; neighbours in the list have very different colours. */
export const appColor = (app: number): string => `hsl(${Math.round((app * 137.508) % 360)} 58% ${app % 2 === 0 ? 52 : 62}%)`;

/** Colours of kinds, which differ without colour vision too (Okabe and Ito), and repeat after eight. */
const KINDS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#8a7f00', '#7a7f87'];
export const kindColor = (kind: number): string => KINDS[kind % KINDS.length]!;
export const kindRgb = (kind: number): Color => {
  const hex = kindColor(kind);
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as unknown as Color;
};

export const isDark = (): boolean => {
  const chosen = document.documentElement.dataset['theme'];
  return chosen === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
};

/** Red, green and blue, from 0 to 255. */
export type Color = readonly [number, number, number];
export const css = ([red, green, blue]: Color): string => `rgb(${red} ${green} ${blue})`;
/** Colours from empty to full. Their lightness is monotonic, so that the order can be read without colour vision. */
const LIGHT: readonly Color[] = [
  [239, 243, 248],
  [158, 202, 225],
  [66, 146, 198],
  [8, 81, 156],
  [8, 32, 80],
];
const DARK: readonly Color[] = [
  [32, 40, 52],
  [24, 70, 120],
  [33, 113, 181],
  [107, 174, 214],
  [222, 240, 255],
];
const STEPS = 100;

/** Colours for shares from 0 to 1 in hundredths; the last entry is for shares above 1. */
export function shades(): Color[] {
  const stops = isDark() ? DARK : LIGHT;
  const list = Array.from({ length: STEPS + 1 }, (_, step) => {
    const at = (step / STEPS) * (stops.length - 1);
    const low = Math.min(stops.length - 2, Math.floor(at));
    const mix = (k: 0 | 1 | 2): number => {
      const from = stops[low]![k];
      return Math.round(from + (at - low) * (stops[low + 1]![k] - from));
    };
    return [mix(0), mix(1), mix(2)] as const;
  });
  return [...list, isDark() ? [255, 123, 114] : [207, 34, 46]];
}

export const shadeOf = (share: number): number =>
  share > 1 + 1e-6 ? STEPS + 1 : Math.max(0, Math.min(STEPS, Math.round(share * STEPS)));

/** Indexed by the codes of JOIN: takes it, lacks room, limits, both, closed. */
export const joinColors = (): Color[] =>
  isDark()
    ? [
        [63, 185, 80],
        [210, 153, 34],
        [163, 113, 247],
        [72, 79, 88],
        [248, 81, 73],
      ]
    : [
        [26, 127, 55],
        [224, 168, 46],
        [130, 80, 223],
        [182, 190, 200],
        [207, 34, 46],
      ];
export const JOIN_WORDS = ['takes one more', 'lacks room', 'limits', 'lacks room, and limits', 'closed'] as const;

/** Codes of what became of a node between two plans. */
export const MOVED = { none: 0, come: 1, gone: 2, both: 3, fresh: 4 } as const;
export const MOVED_WORDS = ['unchanged', 'replicas came', 'replicas went', 'came and went', 'new node'] as const;
/** Indexed by the codes of MOVED; they differ without colour vision too (Okabe and Ito). */
export const movedColors = (): Color[] => [
  isDark() ? [72, 79, 88] : [200, 206, 214],
  [0, 114, 178],
  [230, 159, 0],
  [204, 121, 167],
  [0, 158, 115],
];
