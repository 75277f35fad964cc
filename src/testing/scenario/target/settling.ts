import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from '../world.ts';

/** What has been written and not been waited for. */
export interface Settling {
  /** `path` of an object that was written, and whether it is new. */
  readonly noteWrite: (path: string, isNew: boolean) => void;
  readonly settle: () => Promise<void>;
}

/** Milliseconds that a real API server may take to see a webhook configuration; a kadmit sees it at once. */
const configurationDelay = 2000;
/** Milliseconds for controllers to have done what a write asks for. */
const controllerDelay = 25;
/** Milliseconds for a new namespace to get its ServiceAccount, and between looks. */
const accountPatience = 5000;
const accountPause = 25;

const configurations = /\/(mutating|validating)(webhookconfigurations|admissionpolic(ies|ybindings))\//;
const namespaces = /^\/api\/v1\/namespaces\/[^/]+$/;

/** Waits for what a server does behind a write, as far as one can tell from outside. `seesImmediately`: it is a kadmit. */
export function createSettling(send: World['send'], seesImmediately: boolean): Settling {
  let written: { readonly path: string; readonly isNew: boolean }[] = [];
  let hasControllers = true;
  const hasAccount = async (namespace: string): Promise<boolean> => {
    for (let waited = 0; waited < accountPatience; waited += accountPause) {
      const { code } = await send({ method: 'GET', path: `${namespace}/serviceaccounts/default` });
      if (code === 200) return true;
      await sleep(accountPause);
    }
    return false;
  };
  return {
    noteWrite: (path, isNew) => void written.push({ path, isNew }),
    settle: async () => {
      const writes = written;
      written = [];
      if (writes.length === 0) return;
      for (const { path } of writes.filter((one) => one.isNew && namespaces.test(one.path))) {
        hasControllers = hasControllers && (await hasAccount(path));
      }
      if (!seesImmediately && writes.some(({ path }) => configurations.test(path))) await sleep(configurationDelay);
      await sleep(controllerDelay);
    },
  };
}
