import type { CallWebhook } from '../admission/webhooks/call.ts';
import type { NewUid } from '../../machinery/clock.ts';
import { createFieldManager } from '../../api/apply/field-manager.ts';
import type { CustomKind } from '../../api/apply/field-kinds.ts';
import type { FieldManager } from '../../api/apply/field-manager.ts';
import type { GroupVersionKind } from '../../machinery/meta/gvk.ts';
import type { Codec } from '../../api/codec/codec.ts';
import type { Strategy } from '../../api/strategy/strategy.ts';
import { createConverter } from './converter.ts';
import type { ConversionRequest } from './converter.ts';
import type { ParseYaml } from './conversion-review.ts';
import { createCustomCodec } from './custom-codec.ts';
import type { CustomRow, CustomVersion } from './custom-row.ts';
import { createCustomStrategy } from './custom-strategy.ts';
import { acceptedNames, groupOf, hasStatus, versionNamed } from './definition.ts';

export interface CustomPorts {
  readonly callWebhook: CallWebhook;
  readonly newUid: NewUid;
  readonly parseYaml: ParseYaml;
  /** Of the built-in kinds. */
  readonly codec: Codec;
}

/** What handles the objects of one version of a definition. */
export interface CustomServer {
  readonly strategy: Strategy;
  readonly codec: Codec;
  readonly fields: FieldManager;
  readonly hub: GroupVersionKind;
}

/** `request` is who wants objects, and where it is taken down which were converted. */
export function serveCustom(
  { custom, storage, ...row }: CustomRow,
  ports: CustomPorts,
  request: ConversionRequest,
): CustomServer {
  const { definition, engine } = custom;
  const converter = createConverter(definition, ports, request);
  const codec = createCustomCodec(custom, ports.codec, { converter });
  const fields = createFieldManager(codec, (kind) => {
    const isOwn = kind.group === groupOf(definition) && kind.kind === acceptedNames(definition).kind;
    return isOwn ? customKindOf({ definition, engine }, kind.version) : undefined;
  });
  const hub = { group: row.group, version: row.version, kind: storage.kind };
  return { strategy: strategyOf(custom, codec.types.minor), codec, fields, hub };
}

/** What field managers know of a version of a definition. */
export function customKindOf(
  { definition, engine }: Pick<CustomVersion, 'definition' | 'engine'>,
  name: string,
): CustomKind | undefined {
  const version = versionNamed(definition, name);
  const type = version && engine.customType(definition, name);
  return version && type && { type: type.valueType(), hasStatus: hasStatus(version) };
}

const strategies = new WeakMap<CustomVersion, Strategy>();

function strategyOf(custom: CustomVersion, release: number): Strategy {
  const known = strategies.get(custom) ?? createCustomStrategy(custom, release);
  strategies.set(custom, known);
  return known;
}
