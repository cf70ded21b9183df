/** One colour per app, far from its neighbours' in the list. */
export const appColor = (app: number): string => `hsl(${Math.round((app * 137.508) % 360)} 58% ${app % 2 === 0 ? 52 : 62}%)`;

export const isDark = (): boolean => {
  const chosen = document.documentElement.dataset['theme'];
  return chosen === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
};

type Triple = readonly [number, number, number];
/** From empty to full. Lightness alone tells the order, so that colours need not be told apart. */
const LIGHT: readonly Triple[] = [
  [239, 243, 248],
  [158, 202, 225],
  [66, 146, 198],
  [8, 81, 156],
  [8, 32, 80],
];
const DARK: readonly Triple[] = [
  [32, 40, 52],
  [24, 70, 120],
  [33, 113, 181],
  [107, 174, 214],
  [222, 240, 255],
];
const STEPS = 100;

/** Colours for shares from 0 to 1 in hundredths; beyond 1 the last entry. */
export function shades(): string[] {
  const stops = isDark() ? DARK : LIGHT;
  const list = Array.from({ length: STEPS + 1 }, (_, step) => {
    const at = (step / STEPS) * (stops.length - 1);
    const low = Math.min(stops.length - 2, Math.floor(at));
    const mixed = stops[low]!.map((from, k) => Math.round(from + (at - low) * (stops[low + 1]![k]! - from)));
    return `rgb(${mixed.join(' ')})`;
  });
  return [...list, isDark() ? '#ff7b72' : '#cf222e'];
}

export const shadeOf = (share: number): number =>
  share > 1 + 1e-6 ? STEPS + 1 : Math.max(0, Math.min(STEPS, Math.round(share * STEPS)));

/** By JOIN's codes: takes it, lacks room, limits, both, closed. */
export const joinColors = (): string[] =>
  isDark() ? ['#3fb950', '#d29922', '#a371f7', '#484f58', '#f85149'] : ['#1a7f37', '#e0a82e', '#8250df', '#b6bec8', '#cf222e'];
export const JOIN_WORDS = ['takes one more', 'lacks room', 'limits', 'lacks room, and limits', 'closed'] as const;
