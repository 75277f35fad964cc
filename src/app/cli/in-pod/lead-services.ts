import type { Mapping } from '../../../adapters/config/mapping.ts';
import { askMap } from '../map/ask-map.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';

/** Services that are led to a program until `stop`, which leads them back to where they went before. */
export interface Leading {
  /** Says of the program what calls from now on shall tell. Throws ConfigError. */
  readonly tell: (program: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Leads Services to a program. Throws ConfigError with what the server says against it. */
export async function leadServices(
  access: ServerAccess,
  mappings: readonly Mapping[],
  program: string,
): Promise<Leading> {
  const before = mappings.length > 0 ? await askMap(access) : [];
  const tell = async (told: string): Promise<void> => {
    for (const { from, url } of mappings) await askMap(access, { set: `${from}=${url}`, program: told });
  };
  await tell(program);
  return {
    tell,
    stop: async () => {
      for (const { from } of mappings) {
        const earlier = before.find((mapping) => mapping.from === from);
        const wish = earlier ? { set: `${from}=${earlier.url}`, program: earlier.program ?? '' } : { remove: from };
        // A server that has gone has no map any more.
        await askMap(access, wish).catch(() => {});
      }
    },
  };
}
