import { expect, test } from 'vitest';
import { compileAhead } from '../../../src/admission/configuration/compile-ahead.ts';
import { conditionCompiler } from '../../../src/admission/configuration/validate-match-conditions.ts';
import { validateWebhookConfiguration } from '../../../src/admission/configuration/validate-webhook-configuration.ts';
import { validateValidatingPolicy } from '../../../src/admission/configuration/validate-validating-policy.ts';
import type { Expressions } from '../../../src/admission/matching/expressions.ts';
import { atOnce } from '../../../src/apimachinery/pause.ts';
import type { KubernetesObject } from '../../../src/apimachinery/object.ts';

const configuration: KubernetesObject = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'w' },
  webhooks: [{ name: 'a.b.c', matchConditions: [1, 2, 3].map((at) => ({ name: `c${at}`, expression: `${at} > 1` })) }],
};

const policy = (variables: KubernetesObject['spec']): KubernetesObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'p' },
  spec: { matchConstraints: {}, variables, validations: [{ expression: 'true' }, { expression: 'false' }] },
});

/** What is compiled between two stops. */
function piecesOf(validate: (compile: Expressions['compile']) => unknown): readonly (readonly string[])[] {
  const compiled: string[] = [];
  const pieces = compileAhead(
    (text) => {
      compiled.push(text);
      return { outcome: 'failed', error: '' };
    },
    validate,
    1,
  );
  return [...Array.from(pieces, () => compiled.splice(0)), compiled];
}

test('the conditions of a webhook are compiled one at a time', () => {
  const validate = (compile: Expressions['compile']): unknown =>
    validateWebhookConfiguration(configuration, conditionCompiler(compile));
  expect(piecesOf(validate)).toEqual([['1 > 1'], ['2 > 1'], ['3 > 1']]);
});

test('so are the validations of a policy without variables', () => {
  expect(piecesOf((compile) => validateValidatingPolicy(policy([]), compile))).toEqual([['true'], ['false']]);
});

test('and those of one with variables, after these', () => {
  const withVariables = policy([
    { name: 'a', expression: '1' },
    { name: 'b', expression: '2' },
  ]);
  expect(piecesOf((compile) => validateValidatingPolicy(withVariables, compile))).toEqual([
    ['1'],
    ['2'],
    ['true'],
    ['false'],
  ]);
});

test('the validation that follows compiles nothing, unless it asks for something else', () => {
  const compiled: string[] = [];
  const compile: Expressions['compile'] = (text) => {
    compiled.push(text);
    return { outcome: 'failed', error: text };
  };
  const steps = compileAhead(compile, (stepwise) => ['a', 'b'].map((text) => stepwise(text, { stored: true })));
  const ahead = atOnce(steps);
  expect(['a', 'c'].map((text) => ahead(text, { stored: true }))).toEqual(
    ['a', 'c'].map((error) => ({ outcome: 'failed', error })),
  );
  expect(compiled).toEqual(['a', 'b', 'c']);
});
