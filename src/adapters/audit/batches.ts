/** Follows apiserver plugin/pkg/audit/buffered/buffered.go BatchConfig. */
export interface BatchConfig {
  /** Events beyond this are dropped. */
  readonly bufferSize: number;
  readonly maxSize: number;
  /** Milliseconds; 0: until a batch is full. */
  readonly maxWait: number;
  /** undefined: no limit. */
  readonly throttle: { readonly qps: number; readonly burst: number } | undefined;
}

interface BatchPorts {
  /** Never rejects. */
  readonly deliver: (lines: readonly string[]) => Promise<void>;
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => number;
  readonly report: (text: string) => void;
}

interface Batches {
  readonly add: (line: string) => void;
  readonly close: () => Promise<void>;
}

/** Delivers events in batches, one batch after the other. */
export function createBatches({ bufferSize, maxSize, maxWait, throttle }: BatchConfig, ports: BatchPorts): Batches {
  let waiting: string[] = [];
  let running: Promise<void> | undefined;
  let isClosed = false;
  let sendNow: (() => void) | undefined;
  let tokens = throttle?.burst ?? 0;
  let filledAt = ports.now();
  const sendNext = async (): Promise<void> => {
    if (!throttle || isClosed) return;
    tokens = Math.min(throttle.burst, tokens + ((ports.now() - filledAt) / 1000) * throttle.qps);
    filledAt = ports.now();
    if (tokens < 1) await ports.sleep(((1 - tokens) / throttle.qps) * 1000);
    tokens -= 1;
  };
  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      if (waiting.length < maxSize && maxWait > 0 && !isClosed) {
        // oxlint-disable-next-line no-await-in-loop -- batches go one after the other
        await Promise.race([ports.sleep(maxWait), new Promise<void>((resolve) => (sendNow = resolve))]);
      }
      // oxlint-disable-next-line no-await-in-loop -- as above
      await sendNext();
      const batch = waiting.slice(0, maxSize);
      waiting = waiting.slice(maxSize);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await ports.deliver(batch);
    }
    running = undefined;
  };
  return {
    add: (line) => {
      if (waiting.length >= bufferSize) return ports.report('audit buffer queue blocked: 1 event is lost');
      waiting.push(line);
      if (waiting.length >= maxSize) sendNow?.();
      running ??= Promise.resolve().then(run);
    },
    close: async () => {
      isClosed = true;
      sendNow?.();
      await running;
    },
  };
}
