import { createStubCertificates } from '../../stubs/stub-certificates.ts';
import type { World, Worlds } from '../world.ts';
import { resourceNamed } from './discovery.ts';
import { createHttpsClient } from './https-client.ts';
import type { HttpsClient } from './https-client.ts';
import { createTargetWorld } from './target-world.ts';
import { jsonOf } from './target-send.ts';
import type { TargetOptions } from './target-options.ts';
import { createResources } from './resources.ts';

export interface TargetServer extends Worlds {
  readonly url: string;
  /** A kadmit keeps traces, so that expectations about webhooks can be looked at. */
  readonly tells: boolean;
}

/**
 * The worlds of a server behind a kubeconfig: each scenario acts on the same server and removes what it has made, so they
 * must run one after the other. Rejects with one line when the server cannot be reached or does not let the user in.
 */
export async function connectTarget(options: TargetOptions): Promise<TargetServer> {
  const client = createHttpsClient(options.access);
  const certificates = createStubCertificates(options.issueCertificate);
  try {
    const tells = await isKadmit(client);
    const resources = createResources(client);
    await resources.find((all) => resourceNamed(all, 'pods'));
    const open = new Set<World>();
    return {
      url: options.access.url,
      tells,
      create: async (setup) => {
        const world = await createTargetWorld(setup, { ...options, client, resources, tells, certificates });
        open.add(world);
        return world;
      },
      // A world that is closed already has nothing left to do, and has said what it could not do.
      close: async () => {
        await Promise.allSettled([...open].map((world) => world.close()));
        client.close();
      },
    };
  } catch (error) {
    client.close();
    throw error;
  }
}

async function isKadmit({ send }: HttpsClient): Promise<boolean> {
  const { code, text } = await send({ method: 'GET', path: '/kadmit/v1/traces?limit=1', headers: {}, body: undefined });
  return code === 200 && jsonOf(text)['traceVersion'] === 1;
}
