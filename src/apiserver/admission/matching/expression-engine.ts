import type {
  AdmissionEnvironmentOptions,
  BranchCount,
  CelAuthorizer,
  CelAuthorizerRequest,
  Compilation,
  Compiled,
  EvaluationOptions,
  LazyVariables,
  ServiceAccount,
  Variables,
  checkTypes,
  compileAdmission,
  compileDeviceSelector,
  toApplyConfiguration,
  countBranches,
  createMemoryBudget,
  createVariables,
  evaluateWithin,
  explainValues,
  toJsonPatchOperations,
} from '../../../cel/index.ts';
import { box, CelError, type Value } from '../../../cel/vocabulary.ts';
import type { BuiltinTypes } from '../../../api/types/builtin-types.ts';
import { asObject, asString, type JsonValue } from '../../../machinery/json/json.ts';
import { ownValue } from '../../../machinery/meta/object.ts';
import type { Authorize } from '../../auth/authorizer.ts';
import type { UserInfo } from '../../auth/user.ts';
import type { ExpressionValue } from '../chain/skip-reason.ts';
import type { Requester, EvaluateExpression, ExpressionVariables, Expressions, OnVariable } from './expressions.ts';

export interface CelEngine {
  readonly compileAdmission: typeof compileAdmission;
  readonly compileDeviceSelector: typeof compileDeviceSelector;
  readonly createMemoryBudget: typeof createMemoryBudget;
  readonly createVariables: typeof createVariables;
  readonly evaluateWithin: typeof evaluateWithin;
  readonly countBranches: typeof countBranches;
  readonly explainValues: typeof explainValues;
  readonly toApplyConfiguration: typeof toApplyConfiguration;
  readonly toJsonPatchOperations: typeof toJsonPatchOperations;
  readonly checkTypes: typeof checkTypes;
}

/** Cost units of one expression. Follows apiserver pkg/apis/cel/config.go PerCallLimit. */
const perExpressionLimit = 1_000_000;

const maxExplainedCost = 100_000;

const maxShown = 6;
const maxShownLength = 80;

export interface ExpressionOptions {
  /** Of the release; absent: the functions of the default release, and no built-in kinds. */
  readonly types?: Pick<BuiltinTypes, 'minor' | 'typeOfObject'> | undefined;
  /** Default: false. */
  readonly countsBranches?: boolean | undefined;
}

/** Follows apiserver pkg/admission/plugin/cel (rules SEL-65, CEL-1, VAP-24, VAP-25). */
export function createExpressions(
  engine: CelEngine,
  { types, countsBranches = false }: ExpressionOptions = {},
): Expressions {
  const release = types?.minor;
  return {
    countsBranches,
    toApplyConfiguration: engine.toApplyConfiguration,
    toJsonPatchOperations: engine.toJsonPatchOperations,
    checkTypes: engine.checkTypes,
    compile: createCompilations(engine, release),
    compileSelector: (text, stored) => engine.compileDeviceSelector(text, { release, stored }),
    evaluator: (variables, composed, onVariable, isOver) => {
      const isTyped = types && types.minor >= 37 ? typedVariables(variables, types) : undefined;
      const memory = engine.createMemoryBudget();
      const options = { costLimit: perExpressionLimit, interrupted: isOver, memory, isTyped };
      const outer = createLookup(variables);
      if (composed === undefined || composed.size === 0) {
        const list = { lookup: outer, options };
        return countsBranches ? createCountingEvaluator(list, engine) : createEvaluator(list, engine);
      }
      const lookup: Variables = (name) => (name === 'variables' ? lazy.value : outer(name));
      const lazy = engine.createVariables(composed, lookup, options);
      const list = { lookup, lazy, options };
      return countsBranches
        ? createCountingEvaluator(list, engine, { composed, onVariable })
        : createEvaluator(list, engine);
    },
  };
}

interface List {
  readonly lookup: Variables;
  readonly lazy?: LazyVariables;
  readonly options: EvaluationOptions;
}

function createEvaluator({ lookup, lazy, options }: List, engine: CelEngine): EvaluateExpression {
  return (expression, budget) => {
    if (expression.outcome === 'failed') return { outcome: 'uncompilable', error: expression.error };
    const { compiled } = expression;
    const run = engine.evaluateWithin({ remaining: budget, lazy }, compiled, lookup, options);
    if (run.outcome === 'fatal') return { outcome: 'out-of-budget' };
    const { evaluation } = run;
    const explainsParts = evaluation.outcome === 'error' || evaluation.value === false;
    const isExpensive = evaluation.cost > maxExplainedCost;
    const values = explainsParts && !isExpensive ? truncateValues(engine.explainValues(compiled, lookup, options)) : [];
    const parts = (): readonly ExpressionValue[] => values;
    const cost = budget - run.remaining;
    return evaluation.outcome === 'value'
      ? { outcome: 'value', value: evaluation.value, cost, parts }
      : { outcome: 'error', error: evaluation.error, cost, parts };
  };
}

interface Composed {
  readonly composed: ReadonlyMap<string, Compilation>;
  readonly onVariable: OnVariable | undefined;
}

/** Evaluates again to count branches; each variable on first use. */
function createCountingEvaluator(list: List, engine: CelEngine, variables?: Composed): EvaluateExpression {
  const evaluate = createEvaluator(list, engine);
  const { lookup, lazy, options } = list;
  const reportedNames = new Set<string>();
  const branchesOf = (compiled: Compiled, whole: 'bool' | 'any'): readonly BranchCount[] =>
    engine.countBranches({ compiled, whole }, lookup, options);
  return (expression, budget) => {
    const result = evaluate(expression, budget);
    for (const name of lazy?.used() ?? []) {
      const variable = variables?.composed.get(name);
      if (variable?.outcome !== 'compiled' || reportedNames.has(name)) continue;
      const branches = branchesOf(variable.compiled, 'any');
      reportedNames.add(name);
      variables?.onVariable?.({ name, branches });
    }
    if (expression.outcome === 'failed' || !('cost' in result)) return result;
    return { ...result, branches: branchesOf(expression.compiled, 'bool') };
  };
}

/** Characters of source; compiled programs take about a hundred times as much. */
const maxCachedLength = 4_000_000;

/** Caches programs by environment and text. Callers with `variables` keep their own. */
function createCompilations({ compileAdmission }: CelEngine, release: number | undefined): Expressions['compile'] {
  const compile: Expressions['compile'] = (text, environment, returns) =>
    compileAdmission(text, { ...environment, release }, returns);
  const cached = new Map<string, Compilation>();
  let size = 0;
  return (text, environment, returns) => {
    if (environment.variables !== undefined) return compile(text, environment, returns);
    const key = `${environmentKey(environment)} ${returns?.join() ?? ''} ${text}`;
    const known = cached.get(key);
    if (known) return known;
    const compilation = compile(text, environment, returns);
    size += key.length;
    if (size > maxCachedLength) {
      cached.clear();
      size = key.length;
    }
    cached.set(key, compilation);
    return compilation;
  };
}

const environmentKey = ({ stored, params, authorizer, patch }: AdmissionEnvironmentOptions): string =>
  `${stored}/${params ?? false}/${authorizer ?? true}/${patch ?? false}`;

/** Values short enough for one line. */
const truncateValues = (parts: readonly ExpressionValue[]): readonly ExpressionValue[] =>
  parts.slice(0, maxShown).map(({ expression, value }) => ({
    expression,
    value: value.length > maxShownLength ? `${value.slice(0, maxShownLength)}…` : value,
  }));

/**
 * Upstream holds the request and objects of built-in kinds as Go values. Follows apiserver
 * pkg/admission/plugin/cel/activation.go (since 1.37).
 */
function typedVariables(
  { object, oldObject, params }: ExpressionVariables,
  { typeOfObject }: Pick<BuiltinTypes, 'typeOfObject'>,
): (name: string) => boolean {
  const values: Readonly<Record<string, JsonValue | undefined>> = { object, oldObject, params };
  return (name) => {
    if (name === 'request' || name === 'namespaceObject') return true;
    const { apiVersion, kind } = asObject(ownValue(values, name));
    return typeOfObject({ apiVersion: asString(apiVersion), kind: asString(kind) }) !== undefined;
  };
}

/** cel-go's error for a declared variable without a value. */
const noSuchAttribute = (name: string): CelError => new CelError(`no such attribute(s): ${name}`);

function createLookup({
  object,
  oldObject,
  request,
  namespaceObject,
  params,
  requester,
}: ExpressionVariables): Variables {
  return (name) => {
    switch (name) {
      case 'object':
        return object;
      case 'oldObject':
        return oldObject;
      case 'request':
        return request();
      case 'namespaceObject':
        return namespaceObject();
      case 'params':
        return params;
      case 'authorizer':
        return requester === null ? noSuchAttribute(name) : authorizerVariable(requester);
      case 'authorizer.requestResource':
        return requester === null ? noSuchAttribute(name) : requestResourceVariable(requester);
      default:
        return undefined;
    }
  };
}

/** The variable `authorizer`. */
const authorizerVariable = (requester: Requester): Value =>
  box('authorizer', { type: 'Authorizer', port: createCelAuthorizer(requester), serviceAccount: undefined });

/** `authorizer.requestResource`: preset with the request's attributes (rule CEL-8). */
function requestResourceVariable(requester: Requester): Value {
  const { resource, subresource, namespace, name } = requester.request;
  const attributes = { group: resource.group, resource: resource.resource, subresource, namespace, name };
  return box('authorizer', {
    type: 'ResourceCheck',
    port: createCelAuthorizer(requester),
    serviceAccount: undefined,
    attributes,
  });
}

const createCelAuthorizer = ({ request: { userInfo }, authorize }: Requester): CelAuthorizer => ({
  check: (question) => {
    const user = question.serviceAccount ? serviceAccountUser(question.serviceAccount) : userInfo;
    return authorize(authorizationQuestion(question, user));
  },
});

function authorizationQuestion(question: CelAuthorizerRequest, user: UserInfo): Parameters<Authorize>[0] {
  const { verb } = question;
  if (question.type === 'path') return { type: 'path', user, verb, path: question.path };
  const { serviceAccount: _, ...checked } = question;
  return { ...checked, user, version: '*' };
}

/** Follows apiserver pkg/authentication/serviceaccount/util.go. */
function serviceAccountUser({ namespace, name }: NonNullable<ServiceAccount>): UserInfo {
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    uid: '',
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    extra: {},
  };
}
