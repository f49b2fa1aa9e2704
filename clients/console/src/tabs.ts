// How many tabs of one browser follow along. Browsers open six connections to one server over HTTP/1.1, for all tabs
// together, and a tab that follows along holds two: with a third one, an answer could wait for ever. Two tabs may; the
// next ones wait for a place, or take one when somebody asks for it.

const PLACES = ["haltgate-follow-1", "haltgate-follow-2"] as const;

export class Places {
  private seeking: AbortController[] = [];
  private holds = false;

  constructor(
    private readonly held: () => void,
    private readonly lost: () => void,
  ) {}

  // Takes a place as soon as there is one.
  seek(): void {
    // Without locks (a page that is not served from here or over TLS has none), every tab follows along.
    if (navigator.locks === undefined) {
      this.holds = true;
      this.held();
      return;
    }
    this.seeking = PLACES.map((name) => {
      const controller = new AbortController();
      this.request(name, controller, { signal: controller.signal });
      return controller;
    });
  }

  // Takes a place from another tab.
  take(): void {
    if (!this.holds) {
      this.stopSeeking(null);
      this.request(PLACES[0], null, { steal: true });
    }
  }

  private request(name: string, controller: AbortController | null, options: LockOptions): void {
    let mine = false;
    navigator.locks
      .request(name, options, () => {
        if (this.holds) {
          return undefined;
        }
        mine = true;
        this.holds = true;
        this.stopSeeking(controller);
        this.held();
        // Held until the page is gone, or another tab takes it.
        return new Promise<never>(() => undefined);
      })
      .catch(() => {
        if (mine) {
          this.holds = false;
          this.lost();
          this.seek();
        }
      });
  }

  private stopSeeking(except: AbortController | null): void {
    for (const controller of this.seeking) {
      if (controller !== except) {
        controller.abort();
      }
    }
    this.seeking = [];
  }
}
