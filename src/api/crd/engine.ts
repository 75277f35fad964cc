// The entry to api/crd. Import it dynamically: it loads the CEL engine.
export { customType } from './custom-type.ts';
export {
  definitionName,
  validateDefinition,
  validateDefinitionStatusUpdate,
  validateDefinitionUpdate,
} from './definition/validate-definition.ts';
export { coerceDefaults as withReadableDefaults } from './definition/validate-defaults.ts';
export { definitionWarnings } from './definition/schema-walk.ts';
export { customColumns, scaleColumns } from './table-columns.ts';
export { openapiV2 } from './openapi/openapi-v2.ts';
export { openapiV3 } from './openapi/openapi-v3.ts';
