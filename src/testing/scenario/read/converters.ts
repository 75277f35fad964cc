import { type JsonObject, valueAt, withValue } from '../../../machinery/json/json.ts';
import { conversionBy, converterName } from '../../stubs/answer-conversion.ts';
import type { WebhookSpec } from '../../stubs/webhook-spec.ts';
import type { LoadedManifest } from '../format.ts';
import { nameOf } from '../known-webhooks.ts';
import { didYouMean } from '../../../machinery/nearest-name.ts';
import type { Located } from './located.ts';
import type { Problems, ScenarioReader } from './problems.ts';
import { scalarText } from './scalar-text.ts';
import { readStubBackend } from './webhooks.ts';

export async function readConverter(at: Located, reading: ScenarioReader): Promise<WebhookSpec> {
  const name = converterName(definitionOf(at));
  const spec: WebhookSpec = { name, does: [], faults: [], ...(await readStubBackend(at, reading)) };
  if (spec.faults.some(({ what }) => what.type === 'bad-patch')) {
    reading.problems.at(at.get('faults') ?? at, 'a converter sends no patch that could be bad');
  }
  return spec;
}

const definitionOf = (at: Located): string => scalarText(at.get('definition')?.value);

/** Adds the converter to definitions without one: projects add it only when they are installed. */
export function withConverters(
  manifests: readonly LoadedManifest[],
  converters: readonly Located[],
  problems: Problems,
): readonly LoadedManifest[] {
  const names = manifests.filter(({ object }) => isDefinition(object)).map(({ object }) => nameOf(object));
  for (const at of converters) {
    const name = definitionOf(at);
    if (names.includes(name)) continue;
    const message = `no CustomResourceDefinition ${name} in crds or load${didYouMean(name, names)}`;
    problems.at(at.get('definition') ?? at, message);
  }
  const wanted = new Set(converters.map(definitionOf));
  return manifests.map(({ object, ...rest }) => ({
    ...rest,
    object: isDefinition(object) && wanted.has(nameOf(object)) ? withConversion(object) : object,
  }));
}

const isDefinition = ({ kind }: JsonObject): boolean => kind === 'CustomResourceDefinition';

const withConversion = (definition: JsonObject): JsonObject =>
  valueAt(definition, 'spec', 'conversion', 'strategy') === 'Webhook'
    ? definition
    : withValue(definition, ['spec', 'conversion'], conversionBy(nameOf(definition)));
