// Time between attempts: growing, spread by chance so that clients which lost one gate do not come back all at once, and
// never less than the gate asks for.

/** Waits so many milliseconds. Rejects with the signal's reason when it is aborted. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const aborted = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", aborted);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", aborted, { once: true });
  });
}

/** Bounds of a pause, in milliseconds. */
export interface Bounds {
  /** The longest pause after the first failure. It doubles with each one that follows. */
  readonly first: number;
  /** The longest pause of all, unless the gate asks for more. */
  readonly longest: number;
  /** The least part of it, from 0 to 1, that chance leaves. */
  readonly least: number;
}

/** How long to wait after so many failures, counted from 1. `chance` is from 0 up to, not including, 1. */
export function pauseAfter(failures: number, bounds: Bounds, asked: number, chance = Math.random()): number {
  const whole = Math.min(bounds.longest, bounds.first * 2 ** Math.min(failures - 1, 10));
  return Math.max(asked, whole * (bounds.least + (1 - bounds.least) * chance));
}
