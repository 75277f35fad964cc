// Made of the tables in src/api/release/newest by test/tools/make-kind-types.ts; not to be edited.

import type { JsonValue } from '../../../machinery/json/json.ts';
import type { ObjectMeta } from '../../../machinery/meta/object.ts';
import type * as metaV1 from './meta-v1.ts';

export type CustomResourceColumnDefinition = {
  readonly name?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath?: string;
};

export type CustomResourceConversion = {
  readonly strategy?: string;
  readonly webhook?: WebhookConversion;
};

export type CustomResourceDefinition = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: CustomResourceDefinitionSpec;
  readonly status?: CustomResourceDefinitionStatus;
};

export type CustomResourceDefinitionCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number | bigint;
};

export type CustomResourceDefinitionList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<CustomResourceDefinition>[] | null;
};

export type CustomResourceDefinitionNames = {
  readonly plural?: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly kind?: string;
  readonly listKind?: string;
  readonly categories?: readonly string[];
};

export type CustomResourceDefinitionSpec = {
  readonly group?: string;
  readonly names?: CustomResourceDefinitionNames;
  readonly scope?: string;
  readonly versions?: readonly CustomResourceDefinitionVersion[] | null;
  readonly conversion?: CustomResourceConversion;
  readonly preserveUnknownFields?: boolean;
};

export type CustomResourceDefinitionStatus = {
  readonly conditions?: readonly CustomResourceDefinitionCondition[] | null;
  readonly acceptedNames?: CustomResourceDefinitionNames;
  readonly storedVersions?: readonly string[] | null;
  readonly observedGeneration?: number | bigint;
};

export type CustomResourceDefinitionVersion = {
  readonly name?: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: CustomResourceValidation;
  readonly subresources?: CustomResourceSubresources;
  readonly additionalPrinterColumns?: readonly CustomResourceColumnDefinition[];
  readonly selectableFields?: readonly SelectableField[];
};

export type CustomResourceSubresourceScale = {
  readonly specReplicasPath?: string;
  readonly statusReplicasPath?: string;
  readonly labelSelectorPath?: string;
};

export type CustomResourceSubresourceStatus = Readonly<Record<string, never>>;

export type CustomResourceSubresources = {
  readonly status?: CustomResourceSubresourceStatus;
  readonly scale?: CustomResourceSubresourceScale;
};

export type CustomResourceValidation = {
  readonly openAPIV3Schema?: JSONSchemaProps;
};

export type ExternalDocumentation = {
  readonly description?: string;
  readonly url?: string;
};

export type JSONSchemaProps = {
  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly default?: JsonValue;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maxLength?: number | bigint;
  readonly minLength?: number | bigint;
  readonly pattern?: string;
  readonly maxItems?: number | bigint;
  readonly minItems?: number | bigint;
  readonly uniqueItems?: boolean;
  readonly multipleOf?: number;
  readonly enum?: readonly JsonValue[];
  readonly maxProperties?: number | bigint;
  readonly minProperties?: number | bigint;
  readonly required?: readonly string[];
  readonly items?: JSONSchemaProps | readonly JSONSchemaProps[];
  readonly allOf?: readonly JSONSchemaProps[];
  readonly oneOf?: readonly JSONSchemaProps[];
  readonly anyOf?: readonly JSONSchemaProps[];
  readonly not?: JSONSchemaProps;
  readonly properties?: { readonly [key: string]: JSONSchemaProps };
  readonly additionalProperties?: boolean | JSONSchemaProps;
  readonly patternProperties?: { readonly [key: string]: JSONSchemaProps };
  readonly dependencies?: { readonly [key: string]: JSONSchemaProps | readonly string[] };
  readonly additionalItems?: boolean | JSONSchemaProps;
  readonly definitions?: { readonly [key: string]: JSONSchemaProps };
  readonly externalDocs?: ExternalDocumentation;
  readonly example?: JsonValue;
  readonly nullable?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
};

export type SelectableField = {
  readonly jsonPath?: string;
};

export type ServiceReference = {
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: string;
  readonly port?: number;
};

export type ValidationRule = {
  readonly rule?: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
};

export type WebhookClientConfig = {
  readonly url?: string;
  readonly service?: ServiceReference;
  readonly caBundle?: string;
};

export type WebhookConversion = {
  readonly clientConfig?: WebhookClientConfig;
  readonly conversionReviewVersions?: readonly string[] | null;
};
