import { aesCbc, aesGcm } from '../../engines/encryption/aes.ts';
import type { Transformers } from '../../engines/encryption/sealing.ts';
import { byPrefix, identity } from '../../engines/encryption/transformer.ts';
import type { PrefixedTransformer, Transformer } from '../../engines/encryption/transformer.ts';
import { read, unreadable } from '../../admission/settings/configuration-document.ts';
import type { Reading } from '../../admission/settings/configuration-document.ts';
import type {
  EncryptionConfiguration,
  KeyList,
  KmsConfiguration,
  ProviderConfiguration,
} from './encryption-configuration.ts';
import { secretBytes, splitResource } from './validate-encryption.ts';

/** What opens values that a plugin outside holds the keys of. */
export type OpenKms = (kms: KmsConfiguration) => Transformer;

const kmsV1 =
  'KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.';

/**
 * What a validated configuration says of each resource.
 * Follows apiserver pkg/server/options/encryptionconfig/config.go getTransformerOverridesAndKMSPluginProbes.
 */
export async function transformersOf(
  configuration: EncryptionConfiguration,
  openKms: OpenKms,
): Promise<Reading<Transformers>> {
  const needsSecretbox = configuration.some(({ providers }) => providers.some((one) => one.secretbox));
  const secretbox = needsSecretbox ? (await import('../../engines/encryption/secretbox.ts')).secretbox : undefined;
  const lists = new Map<string, PrefixedTransformer[]>();
  for (const { resources, providers } of configuration) {
    if (providers.some(({ kms }) => kms?.apiVersion === 'v1')) return unreadable(kmsV1);
    const transformers = providers.map((provider) => transformerOf(provider, { secretbox, openKms }));
    for (const resource of resources) {
      const { group } = splitResource(resource);
      const name = nameOf(resource);
      const mask = [`*.${group}`, '*.*'].find((rule) => lists.has(rule));
      if (mask !== undefined) return unreadable(`resource "${name}" is masked by earlier rule "${mask}"`);
      lists.set(name, [...(lists.get(name) ?? []), ...transformers]);
    }
  }
  return read(new Map([...lists].map(([resource, list]) => [resource, byPrefix('no matching prefix found', list)])));
}

/** `secrets`, `*.` and `deployments.apps`, however they were written. */
function nameOf(text: string): string {
  const { group, resource } = splitResource(text);
  return group === '' && resource !== '*' ? resource : `${resource}.${group}`;
}

interface Makers {
  readonly secretbox: ((key: Buffer) => Transformer) | undefined;
  readonly openKms: OpenKms;
}

function transformerOf(provider: ProviderConfiguration, { secretbox, openKms }: Makers): PrefixedTransformer {
  const { aesgcm, aescbc, kms } = provider;
  const none = 'no matching key was found for the provided';
  if (aesgcm) return keyed('aesgcm', aesgcm, aesGcm, `${none} AES transformer`);
  if (aescbc) return keyed('aescbc', aescbc, aesCbc, `${none} AES transformer`);
  if (provider.secretbox && secretbox) {
    return keyed('secretbox', provider.secretbox, secretbox, `${none} Secretbox transformer`);
  }
  return kms
    ? { prefix: `k8s:enc:kms:v2:${kms.name}:`, transformer: openKms(kms) }
    : { prefix: '', transformer: identity };
}

const keyed = (
  name: string,
  { keys = [] }: KeyList,
  make: (key: Buffer) => Transformer,
  noKey: string,
): PrefixedTransformer => ({
  prefix: `k8s:enc:${name}:v1:`,
  transformer: byPrefix(
    noKey,
    keys.map((key) => ({ prefix: `${key.name}:`, transformer: make(secretBytes(key.secret) ?? Buffer.alloc(0)) })),
  ),
});
