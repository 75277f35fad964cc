import { type WorldPlatform, worldTokenKey } from '../compose/in-process.ts';

const encoder = new TextEncoder();

/** For worlds in a browser. Signatures of certificate requests are not verified. */
export const webPlatform: WorldPlatform = {
  nextIteration: createNextIteration(),
  signToken: async (text) => {
    const algorithm = { name: 'HMAC', hash: 'SHA-512' };
    const key = await crypto.subtle.importKey('raw', encoder.encode(worldTokenKey), algorithm, false, ['sign']);
    return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
  },
  documents: {
    hashContent: async (content) => {
      const bytes = typeof content === 'string' ? encoder.encode(content) : new Uint8Array(content);
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-512', bytes));
      return [...digest].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join('');
    },
    runtime: 'browser',
    platform: 'browser/wasm',
  },
};

/** As browsers have it; Node's type differs. */
declare const MessageChannel: new () => {
  readonly port1: { onmessage: (() => void) | null };
  readonly port2: { readonly postMessage: (message: unknown) => void };
};

/** A message to itself arrives after all promises that are ready; timers are delayed by milliseconds. */
function createNextIteration(): WorldPlatform['nextIteration'] {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(0);
    });
}
