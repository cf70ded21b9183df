import type uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** Loaded with the first chart that is in view, so that a visit that ends above it does not pay for it. */
const library = (): Promise<typeof uPlot> => import('uplot').then((module) => module.default);

const color = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** A chart that follows the width of its container and redraws when the colours change. */
export class Chart {
  private plot: uPlot | undefined;
  private turn = 0;
  /** Resolved once the place has been in view. */
  private readonly seen: Promise<void>;

  constructor(
    private readonly place: HTMLElement,
    private readonly height: number,
  ) {
    place.style.minHeight = `${height}px`;
    this.seen = new Promise((resolve) => {
      const watch = new IntersectionObserver((entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        watch.disconnect();
        resolve();
      });
      watch.observe(place);
    });
    new ResizeObserver(() => {
      const width = place.clientWidth;
      if (width > 0 && this.plot !== undefined && this.plot.width !== width) this.plot.setSize({ width, height: this.height });
    }).observe(place);
  }

  /** @param options of colours and the library */
  draw(
    data: uPlot.AlignedData,
    options: (ink: string, grid: string, library: typeof uPlot) => Omit<uPlot.Options, 'width' | 'height'>,
  ): void {
    const turn = ++this.turn;
    void this.seen.then(library).then((Plot) => {
      if (turn !== this.turn) return;
      this.plot?.destroy();
      const chosen = options(color('--soft'), color('--line'), Plot);
      this.plot = new Plot({ ...chosen, width: Math.max(200, this.place.clientWidth), height: this.height }, data, this.place);
    });
  }

  clear(): void {
    ++this.turn;
    this.plot?.destroy();
    this.plot = undefined;
  }
}
