import type { ConformanceTest } from './conformance-value.ts';

/** Sections of what Kubernetes does not enable. */
const sections: Readonly<Record<string, string>> = {
  bindings_ext: 'Kubernetes has no cel.bind',
  block_ext: 'Kubernetes has no cel.block',
  encoders_ext: 'Kubernetes has no base64 functions',
  math_ext: 'Kubernetes has no math functions',
  dynamic: 'protobuf messages',
  enums: 'protobuf enums',
  proto2: 'protobuf messages',
  proto2_ext: 'protobuf messages',
  proto3: 'protobuf messages',
  wrappers: 'protobuf messages',
};

/** Single tests, by their title. */
const titles: Readonly<Record<string, string>> = {
  'conversions/type/dyn_no_denotation': 'cel-go declares dyn as a type',
  'fields/qualified_identifier_resolution/map_key_float':
    'constant folding accepts any key, as recorded in cel-cases.json',
  'fields/qualified_identifier_resolution/map_value_repeat_key': 'constant folding keeps the last value, as recorded',
  'fields/qualified_identifier_resolution/map_value_repeat_key_heterogeneous': 'constant folding keeps the last value',
  'optionals/optionals/map_null_entry_no_such_key': 'cel-go answers none',
  'optionals/optionals/map_present_key_invalid_field': 'cel-go answers none',
  'timestamps/duration_converters/get_milliseconds': 'cel-go answers the total, as recorded',
  'string_ext/value_errors/indexof_out_of_range': 'cel-go v0.26 answers -1',
  'string_ext/value_errors/lastindexof_out_of_range': 'cel-go v0.26 answers -1',
  ...Object.fromEntries(
    [
      'default precision for scientific notation',
      'positive infinity support for scientific notation',
      'positive infinity support for fixed-point',
      'negative infinity support for scientific notation',
      'negative infinity support for fixed-point',
      'NaN support for decimal',
      'positive infinity support for decimal',
      'negative infinity support for decimal',
      'dyntype NaN/infinity support',
      'dyntype support for lists',
      'dyntype support for maps',
      'dyntype support for scientific notation',
      'format_%f_halfway_truncate_to_nearest_even',
      'list support for string',
      'map support (all key types)',
      'map support for string',
      'scientific notation formatting clause',
      'scientific notation formatting clause in a string variable',
    ].map((name) => [
      `string_ext/format/${name}`,
      'Kubernetes has version 2 of the strings library, which prints it differently',
    ]),
  ),
};

const protobuf = /TestAllTypes|NestedMessage|GlobalEnum|google\.protobuf\.(?!Timestamp|Duration)\w+/;

const refusedByChecker =
  /unbound_is_runtime_error|_mixed_types$|not_eq_list_length|short_circuit_type_|conditional\/mixed_type|receiver_function_names/;

/** Why a test is not run; undefined for one that is. */
export function skipReason(title: string, section: string, test: ConformanceTest): string | undefined {
  const known = sections[section] ?? titles[title];
  if (known !== undefined) return known;
  return generalReason(title, test);
}

function generalReason(title: string, test: ConformanceTest): string | undefined {
  if (title.includes('quoted_map_fields')) return 'Kubernetes has no quoted field names';
  if (protobuf.test(JSON.stringify(test))) return 'protobuf messages';
  if (test.container !== undefined && test.container !== '') return 'the container is always empty in Kubernetes';
  if (test.disableCheck === true && refusedByChecker.test(title)) return 'Kubernetes refuses it when it checks types';
  if (test.typeEnv?.some(({ ident }) => ident === undefined) === true) return 'functions that Kubernetes does not have';
  if (test.disableMacros === true) return 'macros are always on in Kubernetes';
  return test.unknown === undefined ? undefined : 'unknown values';
}
