import { trimSpace } from '../../machinery/go/strings.ts';
import type { CelOperation } from '../run/frame.ts';
import { box, CelError, isBox, noSuchOverload, type CelResult, type Value } from '../value/value.ts';
import type { AuthorizerValue, CelAuthorizer, AuthorizerDecision, ResourceCheckAttributes } from './opaque-values.ts';
import { fixedCost, perChar, scaleCost, sumCosts } from '../estimate/estimator.ts';
import { type FunctionCost, type FunctionRow, sizeOf, tenth, unitCost } from './cel-function.ts';

type Step<T extends AuthorizerValue['type']> = Extract<AuthorizerValue, { readonly type: T }>;

const boxStep = (value: AuthorizerValue): CelResult => box('authorizer', value);

/** A member of one step of the chain with one text as its argument. */
const onText =
  (run: (step: AuthorizerValue, text: string) => CelResult): CelOperation =>
  (value, text) =>
    isBox(value, 'authorizer') && typeof text === 'string' ? run(value.value, text) : noSuchOverload;

const path = onText((step, text) => {
  if (step.type !== 'Authorizer') return noSuchOverload;
  if (trimSpace(text) === '') return new CelError('path must not be empty');
  return boxStep({ ...step, type: 'PathCheck', path: text });
});

const group = onText((step, text) =>
  step.type === 'Authorizer' ? boxStep({ ...step, type: 'GroupCheck', group: text }) : noSuchOverload,
);

const resource = onText((step, text) => {
  if (step.type !== 'GroupCheck') return noSuchOverload;
  if (trimSpace(text) === '') return new CelError('resource must not be empty');
  const attributes = { group: step.group, resource: text, subresource: '', namespace: '', name: '' };
  return boxStep({ type: 'ResourceCheck', port: step.port, serviceAccount: step.serviceAccount, attributes });
});

const refine = (field: keyof ResourceCheckAttributes): CelOperation =>
  onText((step, text) =>
    step.type === 'ResourceCheck'
      ? boxStep({ ...step, attributes: { ...step.attributes, [field]: text } })
      : noSuchOverload,
  );

const label = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const subdomain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

const serviceAccount: CelOperation = (value, namespace, name) => {
  if (!isBox(value, 'authorizer') || value.value.type !== 'Authorizer') return noSuchOverload;
  if (typeof namespace !== 'string' || typeof name !== 'string') return noSuchOverload;
  if (name.length > 253 || !subdomain.test(name)) return new CelError('Invalid service account name');
  if (namespace.length > 63 || !label.test(namespace)) return new CelError('Invalid service account namespace');
  return boxStep({ ...value.value, serviceAccount: { namespace, name } });
};

const check = onText((step, verb) => {
  if (step.type === 'PathCheck') return decide(step.port, { ...pathRequest(step), verb });
  if (step.type !== 'ResourceCheck') return noSuchOverload;
  return decide(step.port, { type: 'resource', ...step.attributes, serviceAccount: step.serviceAccount, verb });
});

const pathRequest = ({ path: text, serviceAccount: user }: Step<'PathCheck'>) =>
  ({ type: 'path', path: text, serviceAccount: user }) as const;

const decide = (port: CelAuthorizer, question: Parameters<CelAuthorizer['check']>[0]): CelResult =>
  boxStep({ type: 'Decision', decision: port.check(question) });

const onDecision =
  (answer: (decision: AuthorizerDecision) => CelResult): CelOperation =>
  (value: Value) =>
    isBox(value, 'authorizer') && value.value.type === 'Decision' ? answer(value.value.decision) : noSuchOverload;

const checkCost: FunctionCost = { runtime: 350_000, estimate: () => ({ cost: fixedCost(350_000n) }) };

const selectorCost: FunctionCost = {
  runtime: (_check, text) => 10 + tenth(sizeOf(text)) + 25 * sizeOf(text),
  estimate: ({ size }) => ({ cost: sumCosts([fixedCost(10n), scaleCost(size(1), perChar), scaleCost(size(1), 25)]) }),
};

/** `authorizer.group().resource().check()`. Follows apiserver pkg/cel/library/authz.go. */
export const authorizerFunctions: readonly FunctionRow[] = [
  ['path', path, unitCost],
  ['group', group, unitCost],
  ['serviceAccount', serviceAccount, unitCost],
  ['resource', resource, unitCost],
  ['subresource', refine('subresource'), unitCost],
  ['namespace', refine('namespace'), unitCost],
  ['name', refine('name'), unitCost],
  ['fieldSelector', refine('fieldSelector'), selectorCost],
  ['labelSelector', refine('labelSelector'), selectorCost],
  ['check', check, checkCost],
  ['allowed', onDecision(({ allowed }) => allowed), unitCost],
  ['reason', onDecision(({ reason }) => reason), unitCost],
  ['errored', onDecision(({ error }) => error !== undefined), unitCost],
  ['error', onDecision(({ error }) => error ?? ''), unitCost],
];
