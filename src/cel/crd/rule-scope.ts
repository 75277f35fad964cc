import type { JsonObject } from '../../machinery/json/json.ts';
import { storedVersion } from '../admission/admission-environment.ts';
import { createEnvironment } from '../check/environment.ts';
import type { Environment } from '../check/environment.ts';
import type { Path, SizeAt } from '../estimate/estimator.ts';
import { optionalType } from '../check/type.ts';
import { declareType, maxRequestBytes, structsOf } from './declared-type.ts';
import type { DeclaredType } from './declared-type.ts';
import { readRuleSchema } from './rule-schema.ts';
import type { RuleSchema } from './rule-schema.ts';

/** A place in a schema at which rules stand: what `self` and `oldSelf` are there. */
export interface RuleScope {
  readonly schema: RuleSchema;
  readonly declared: DeclaredType;
  /** Is it the root of a resource, or of one embedded in it? */
  readonly isResource: boolean;
}

const rootName = 'selfType';

/** undefined for a schema whose values expressions must not see. */
export function ruleScope(schema: JsonObject, isResource: boolean): RuleScope | undefined {
  const read = readRuleSchema(schema);
  const declared = declareType(read, rootName, isResource);
  return declared && { schema: read, declared, isResource };
}

export interface RuleOptions {
  /** Of the server: 36 of 1.36, which it is unless said. */
  readonly release?: number | undefined;
  /** Was the expression accepted by an earlier write? */
  readonly stored: boolean;
  /** Is `oldSelf` an optional value, so that the rule also runs when there is none? */
  readonly optionalOldSelf?: boolean;
}

/** What a rule may refer to. Follows apiextensions-apiserver pkg/apiserver/schema/cel/compilation.go. */
export function ruleEnvironment({ declared }: RuleScope, options: RuleOptions): Environment {
  const { release = storedVersion, stored, optionalOldSelf } = options;
  const { type } = declared;
  const structs = structsOf(declared);
  return createEnvironment({
    version: stored ? release : release - 1,
    variables: new Map([
      ['self', type],
      ['oldSelf', optionalOldSelf === true ? optionalType(type) : type],
    ]),
    structs: (name) => structs.get(name),
  });
}

/** The sizes that the schema allows. */
export const sizesIn =
  ({ declared }: RuleScope): SizeAt =>
  ([, ...steps]: Path) => {
    let at: DeclaredType | undefined = declared;
    for (const step of steps) at = at && inside(at, step);
    return at && { min: 0n, max: BigInt(at.maxElements) };
  };

function inside({ fields, element, key }: DeclaredType, step: string): DeclaredType | undefined {
  if (step === '@items' || step === '@values') return element;
  return step === '@keys' ? key : fields?.get(step);
}

/** How often the largest request can hold a value of this schema. Follows apiserver pkg/cel/common/schemas.go. */
export const maxCardinality = ({ declared }: RuleScope): bigint =>
  BigInt(Math.floor(maxRequestBytes / (declared.minSize + 1)));
