import type { Mapping } from '../../../adapters/config/mapping.ts';
import { requestMap } from '../map/map.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { qualifiedArgument } from './mount-files.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';

/** Services routed to a program until `stop`, which restores their earlier entries. */
export interface Forwarding {
  /** Changes the description of the program in traces. Rejects with ConfigError. */
  readonly describe: (program: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Rejects with ConfigError when the server refuses. */
export async function forwardServices(
  access: ServerAccess,
  mappings: readonly Mapping[],
  program: string,
): Promise<Forwarding> {
  const before = mappings.length > 0 ? await requestMap(access) : [];
  const describe = async (description: string): Promise<void> => {
    for (const { from, url } of mappings) await requestMap(access, { set: `${from}=${url}`, program: description });
  };
  await describe(program);
  return {
    describe,
    stop: async () => {
      for (const { from } of mappings) {
        const earlier = before.find((mapping) => mapping.from === from);
        const change = earlier ? { set: `${from}=${earlier.url}`, program: earlier.program ?? '' } : { remove: from };
        // The server may be gone.
        await requestMap(access, change).catch(() => {});
      }
    },
  };
}

/** The entries of --service. Throws ConfigError unless each is `NAMESPACE/NAME=PORT`. */
export const mappingsOf = (services: readonly string[]): readonly Mapping[] =>
  services.map((text) => {
    const [, object = '', port = ''] = /^([^=]*)=(\d{1,5})$/.exec(text) ?? [];
    if (port === '' || Number(port) > 65_535)
      throw new ConfigError(`--service ${JSON.stringify(text)} is not NAMESPACE/NAME=PORT`);
    const { namespace, name: own } = qualifiedArgument('service', object);
    return { from: `${namespace}/${own}`, url: `https://127.0.0.1:${port}` };
  });
