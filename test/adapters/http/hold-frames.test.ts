import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { streamWatch } from '../../../src/adapters/http/watch-stream.ts';
import type { WatchSink } from '../../../src/adapters/http/watch-stream.ts';
import type { WatchEvent } from '../../../src/apiserver/request/api-request.ts';

const event: WatchEvent = { type: 'ADDED', object: { kind: 'ConfigMap', apiVersion: 'v1' } };

/** Milliseconds of a clock that goes on only while a sink writes. */
let now = 0;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A watch whose writes take so long, and what was written to it. */
function watching(takes: number): { readonly written: string[]; readonly send: () => void } {
  const written: string[] = [];
  const sink: WatchSink = {
    writeHead: () => {},
    write: (frame) => {
      now += takes;
      return written.push(String(frame)) > 0;
    },
    end: () => {},
    once: () => {},
    writableLength: 0,
  };
  let send: (told: WatchEvent) => void = () => {};
  const open = (tell: typeof send): (() => void) => {
    send = tell;
    return () => {};
  };
  const headers = { 'content-type': 'application/json' };
  streamWatch(sink, { type: 'watch', headers, open, frame: () => 'e' }, () => {});
  return { written, send: () => send(event) };
}

test.each([
  ['which are written at once: for 4 ms', 0, 4],
  ['which take 3 ms together: for three times as long', 1.5, 9],
  ['which take 100 ms: never for more than 16', 50, 16],
])('frames are held back from watches %s', (_what, takes, holds) => {
  const watches = [watching(takes), watching(takes)];
  const sendAll = (): void => watches.forEach(({ send }) => send());
  const written = (): readonly (readonly string[])[] => watches.map((watch) => watch.written.splice(0));
  sendAll();
  expect(written()).toEqual([['e'], ['e']]);
  sendAll();
  vi.advanceTimersByTime(50);
  expect(written()).toEqual([['e'], ['e']]);
  // From the second time on it is known how long they take.
  sendAll();
  vi.advanceTimersByTime(50);
  written();
  sendAll();
  sendAll();
  sendAll();
  expect(written()).toEqual([['e'], ['e']]);
  vi.advanceTimersByTime(holds - 0.5);
  expect(written()).toEqual([[], []]);
  vi.advanceTimersByTime(1);
  expect(written()).toEqual([['ee'], ['ee']]);
  vi.advanceTimersByTime(100);
});
