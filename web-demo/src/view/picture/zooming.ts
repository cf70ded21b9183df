// Wheel, pinch and drag on the picture, by d3-zoom. Loaded with the first picture that can be zoomed.
import { select } from 'd3-selection';
import { zoom, zoomIdentity, type D3ZoomEvent } from 'd3-zoom';
import type { View } from './layout.js';

/** A box around all cells, the box that shows them, and how near one comes. */
export interface Reach {
  width: number;
  height: number;
  shownHeight: number;
  nearest: number;
}

export class Zooming {
  private readonly chosen;
  private readonly behaviour;

  /** @param moved is called with every change of the view */
  constructor(canvas: HTMLCanvasElement, moved: (view: View) => void) {
    this.chosen = select<HTMLCanvasElement, unknown>(canvas);
    this.behaviour = zoom<HTMLCanvasElement, unknown>()
      // The wheel moves the page, unless the picture has the focus. One finger too, as long as the whole is in view.
      .filter((event: Event) => {
        if (event instanceof WheelEvent) return event.ctrlKey || event.metaKey || document.activeElement === canvas;
        if ('touches' in event) return (event as TouchEvent).touches.length > 1 || this.view().k > 1.01;
        return !(event as MouseEvent).button;
      })
      .on('zoom', (event: D3ZoomEvent<HTMLCanvasElement, unknown>) => {
        const { k, x, y } = event.transform;
        canvas.classList.toggle('near', k > 1.01);
        moved({ k, x, y });
      });
    this.chosen.call(this.behaviour).on('dblclick.zoom', null);
  }

  private view(): View {
    return (this.chosen.node() as HTMLCanvasElement & { __zoom?: View }).__zoom ?? zoomIdentity;
  }

  reach({ width, height, shownHeight, nearest }: Reach): void {
    this.behaviour
      .extent([
        [0, 0],
        [width, shownHeight],
      ])
      .translateExtent([
        [0, 0],
        [width, Math.max(height, shownHeight)],
      ])
      .scaleExtent([1, nearest]);
    // What is in view stays within the new borders.
    this.behaviour.scaleTo(this.chosen, Math.min(this.view().k, nearest));
    this.behaviour.translateBy(this.chosen, 0, 0);
  }

  /** @param at a place on the screen that stays where it is; default: the middle */
  to(k: number, at?: [number, number]): void {
    this.behaviour.scaleTo(this.chosen, k, at);
  }

  /** Moves a place of the picture to the middle of the view, as far as its borders allow. */
  show(x: number, y: number): void {
    this.behaviour.translateTo(this.chosen, x, y);
  }

  whole(): void {
    this.behaviour.transform(this.chosen, zoomIdentity);
  }
}
