/**
 * What the client needs of the world around it: sockets, clocks, chance, storage and the page's own events. Tests
 * bring theirs.
 */

/**
 * The part of a browser's WebSocket that is used.
 * @typedef {object} WebSocketLike
 * @property {number} readyState
 * @property {((event: any) => void) | null} onopen
 * @property {((event: any) => void) | null} onmessage
 * @property {((event: any) => void) | null} onclose
 * @property {((event: any) => void) | null} onerror
 * @property {(text: string) => void} send
 * @property {(code?: number) => void} close
 */

/** @typedef {{ getItem(key: string): string | null, setItem(key: string, value: string): void,
 *   removeItem(key: string): void }} StorageLike */

/** @typedef {{ ok: boolean, headers: { get(name: string): string | null }, arrayBuffer(): Promise<ArrayBuffer> }} Answer */

/**
 * @typedef {object} Environment
 * @property {new (url: string, protocol: string) => WebSocketLike} WebSocket
 * @property {() => number} steadyNow milliseconds of a clock that never steps
 * @property {() => number} wallNow milliseconds of the user's clock; only to notice that the machine slept
 * @property {(work: () => void, ms: number) => any} setTimeout
 * @property {(timer: any) => void} clearTimeout
 * @property {() => number} random from 0 to 1
 * @property {(bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>} randomBytes fills `bytes` with what nobody can guess
 * @property {(url: string) => Promise<Answer>} fetch
 * @property {EventTarget | null} page where `pageshow`, `pagehide`, `online` and `storage` are heard
 * @property {(EventTarget & { visibilityState: string }) | null} document where `visibilitychange` is heard
 */

/**
 * The browser that this runs in.
 * @returns {Environment}
 */
export function browserEnvironment() {
  return {
    WebSocket: globalThis.WebSocket,
    steadyNow: () => performance.now(),
    wallNow: () => Date.now(),
    setTimeout: (work, ms) => setTimeout(work, ms),
    clearTimeout: (timer) => clearTimeout(timer),
    random: () => Math.random(),
    randomBytes: (bytes) => crypto.getRandomValues(bytes),
    fetch: (url) => fetch(url),
    page: globalThis.window ?? null,
    document: globalThis.document ?? null,
  };
}

/**
 * A storage that never throws: where the browser forbids or has filled its own, what is kept lives as long as the page.
 * @param {StorageLike | null | undefined} storage
 * @returns {StorageLike}
 */
export function guarded(storage) {
  /** @type {Map<string, string>} */
  const kept = new Map();
  return {
    getItem(key) {
      try {
        return storage?.getItem(key) ?? kept.get(key) ?? null;
      } catch {
        return kept.get(key) ?? null;
      }
    },
    setItem(key, value) {
      kept.set(key, value);
      try {
        storage?.setItem(key, value);
      } catch {
        // It is kept for this page at least.
      }
    },
    removeItem(key) {
      kept.delete(key);
      try {
        storage?.removeItem(key);
      } catch {
        // It is forgotten here at least.
      }
    },
  };
}

/**
 * The browser's own lasting storage; null where even looking at it is forbidden.
 * @returns {StorageLike | null}
 */
export function browserStorage() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

/**
 * The browser's own storage for this window, which outlives a reload and no more; null where it is forbidden.
 * @returns {StorageLike | null}
 */
export function windowStorage() {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}

/**
 * A name for one operation, as good as never used before: sent twice, the operation is done once.
 * @param {Environment} environment
 */
export function newOperation({ randomBytes }) {
  return Array.from(randomBytes(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
