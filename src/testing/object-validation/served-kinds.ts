import { createExpressions } from '../../apiserver/admission/matching/expression-engine.ts';
import { metadataOf } from '../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import * as cel from '../../cel/index.ts';
import * as crd from '../../api/crd/engine.ts';
import { acceptNames } from '../../apiserver/custom-resources/accept-names.ts';
import { isCustomRow } from '../../apiserver/custom-resources/custom-row.ts';
import type { CustomRow } from '../../apiserver/custom-resources/custom-row.ts';
import { rowsOf } from '../../apiserver/custom-resources/rows.ts';
import { serveCustom } from '../../apiserver/custom-resources/serve-custom.ts';
import { createStrategies } from '../../apiserver/request/strategies.ts';
import type { Catalogue, ResourceInfo } from '../../api/types/catalogue/catalogue.ts';
import type { Codec } from '../../api/codec/codec.ts';
import { currentRelease } from '../../api/release/current-release.ts';
import type { Strategy } from '../../api/strategy/strategy.ts';
import { caBundleError } from '../../adapters/webhook-client/ca-bundle.ts';

/** The kinds that an API server with these definitions serves, with their decoding and validation. */
export interface ServedKinds {
  readonly catalogue: Catalogue;
  readonly serverOf: (row: ResourceInfo) => KindServer;
}

export interface KindServer {
  readonly codec: Pick<Codec, 'decodeValue' | 'applyDefaults'>;
  readonly strategy: Strategy;
  /** The object in the version in which it is validated; undefined when it cannot be converted. */
  readonly toStorage: (object: KubernetesObject) => KubernetesObject | undefined;
}

const { codec, minor, strategyFor } = currentRelease;

const strategies = createStrategies(strategyFor, createExpressions(cel), () => crd, {
  allowPrivileged: true,
  reservesStaticNames: false,
  release: minor,
  caBundleError,
});

/** `definitions` are decoded, defaulted and valid. */
export function servedKinds(definitions: readonly KubernetesObject[]): ServedKinds {
  const catalogue = currentRelease.createCatalogue();
  for (const definition of definitions) {
    const accepted = acceptNames(definition, [], { time: '2026-01-01T00:00:00Z', caBundleError });
    catalogue.put(metadataOf(accepted).name ?? '', rowsOf(accepted, crd));
  }
  return { catalogue, serverOf: (row) => (isCustomRow(row) ? customServer(row) : builtinServer(row)) };
}

const builtinServer = (row: ResourceInfo): KindServer => ({
  codec,
  strategy: strategies(row),
  toStorage: (object) => {
    const converted = codec.convertNow(object, row.storage);
    return converted.outcome === 'converted' ? converted.object : undefined;
  },
});

/** A custom resource is validated in the version of its request: no webhook converts it. */
function customServer(row: CustomRow): KindServer {
  const ports = {
    codec,
    newUid: () => '',
    callWebhook: unused,
    parseYaml: unused,
  };
  const server = serveCustom(row, ports, { now: () => 0, record: () => undefined });
  return { codec: server.codec, strategy: server.strategy, toStorage: (object) => object };
}

const unused = (): never => {
  throw new Error('an object that is validated in its own version needs no converter');
};
