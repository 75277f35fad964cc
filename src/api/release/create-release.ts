import type { GroupVersionResource } from '../../machinery/meta/gvk.ts';
import { builtinRows } from '../types/catalogue/builtin-rows.ts';
import { createCatalogue } from '../types/catalogue/create-catalogue.ts';
import { readServedApis, servedByDefault } from '../types/catalogue/served-apis.ts';
import { createCodec } from '../codec/create-codec.ts';
import { parseGateSpecs, readFeatureGates, type GateSpecs } from '../types/features/feature-gates.ts';
import { lazyProtobuf } from '../codec/protobuf/protobuf.ts';
import { createStrategies } from '../strategy/strategy-for.ts';
import { createBuiltinTypes } from '../types/builtin-types.ts';
import type { Release, ReleaseTables } from './release.ts';
import type { FormatErrorsForRelease } from '../messages/format-older-errors.ts';
import { newestTables } from './newest-tables.ts';

const printed = new Map(Object.entries(newestTables.columns));

/** Caches what it builds: create one per process. Error texts are those of the newest release by default. */
export function createRelease(
  tables: ReleaseTables,
  formatErrors: FormatErrorsForRelease = (errors) => errors,
): Release {
  const types = createBuiltinTypes(tables.types);
  const gates = parseGateSpecs(tables.featureGates);
  const isOn = isOnByDefault(gates);
  const codec = createCodec(types, isOn);
  const { minor } = types;
  const columns = new Map(Object.entries(tables.columns));
  const deprecations = new Map(Object.entries(tables.deprecations));
  const release: Release = {
    minor,
    isOn,
    formatErrors,
    types,
    codec,
    createCatalogue: (isServed = servedByDefault(isOn)) =>
      createCatalogue(types, builtinRows(tables.resources).filter(isServed)),
    strategyFor: createStrategies(codec, { minor, isOn }),
    withGates: (features) => ({
      ...release,
      isOn: features.isOn,
      strategyFor: createStrategies(codec, { minor, isOn: features.isOn }),
    }),
    loadProtobuf: lazyProtobuf(codec),
    columnsOf: (resource) => columns.get(pathOf(resource)),
    printedColumnsOf: (resource) => printed.get(pathOf(resource)),
    deprecationOf: (resource) => deprecations.get(pathOf(resource)),
    bootstrapRbac: tables.bootstrapRbac,
    readFeatureGates: (texts) => readFeatureGates(gates, texts),
    readServedApis: (texts, features) => readServedApis(types, texts, features),
  };
  return release;
}

function isOnByDefault(gates: GateSpecs): (gate: string) => boolean {
  const reading = readFeatureGates(gates, []);
  return reading.outcome === 'read' ? reading.gates.isOn : () => true;
}

const pathOf = ({ group, version, resource }: GroupVersionResource): string => `${group}/${version}/${resource}`;
