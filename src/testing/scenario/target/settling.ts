import { setTimeout as sleep } from 'node:timers/promises';
import type { ScenarioWorld } from '../world.ts';

/** Writes not yet waited for. */
export interface TargetSettling {
  readonly noteWrite: (path: string, isNew: boolean) => void;
  readonly settle: () => Promise<void>;
}

/** Milliseconds until a real API server sees a configuration; kadmit sees it at once. */
const configurationDelayMs = 2000;
/** Milliseconds for controllers to react. */
const controllerDelayMs = 25;
/** Milliseconds until a new namespace has its ServiceAccount, and between reads. */
const accountTimeoutMs = 5000;
const accountPollMs = 25;

const configurations = /\/(mutating|validating)(webhookconfigurations|admissionpolic(ies|ybindings))\//;
const namespaces = /^\/api\/v1\/namespaces\/[^/]+$/;

/** Waits for the effects of writes, as far as a client can see them. `seesImmediately`: the server is kadmit. */
export function createTargetSettling(send: ScenarioWorld['send'], seesImmediately: boolean): TargetSettling {
  let written: { readonly path: string; readonly isNew: boolean }[] = [];
  let hasControllers = true;
  const hasAccount = async (namespace: string): Promise<boolean> => {
    for (let waited = 0; waited < accountTimeoutMs; waited += accountPollMs) {
      const { code } = await send({ method: 'GET', path: `${namespace}/serviceaccounts/default` });
      if (code === 200) return true;
      await sleep(accountPollMs);
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
      if (!seesImmediately && writes.some(({ path }) => configurations.test(path))) await sleep(configurationDelayMs);
      await sleep(controllerDelayMs);
    },
  };
}
