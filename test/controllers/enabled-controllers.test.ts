import { expect, test } from 'vitest';
import { controllerNames, enabledControllers } from '../../src/controllers/enabled-controllers.ts';

const account = 'serviceaccount-controller';
const withoutAccount = controllerNames.filter((name) => name !== account);

// controller-manager/app/helper_test.go and cmd/kube-controller-manager/app/options/options.go.
test.each([
  ['nothing asked, nothing run', [], []],
  ['a star is all', ['*'], controllerNames],
  ['a name is one', [account], [account]],
  ['a minus takes one away', ['*', `-${account}`], withoutAccount],
  ['also before the star', [`-${account}`, '*'], withoutAccount],
  ['the first word about it counts', [account, `-${account}`], [account]],
  ['a minus alone runs nothing', [`-${account}`], []],
  ['the old names are known', ['*', '-serviceaccount'], withoutAccount],
  ['each of them', ['root-ca-cert-publisher', 'podgc'], [controllerNames[1], controllerNames[5]]],
])('%s', (_sentence, asked, names) => {
  expect(enabledControllers(asked)).toEqual({ outcome: 'enabled', names: new Set(names) });
});

test.each([
  [
    'an unknown name is refused',
    ['*', 'coffee-controller'],
    '"coffee-controller" is not in the list of known controllers',
  ],
  ['with a minus as well', ['-coffee'], '"coffee" is not in the list of known controllers'],
])('%s', (_sentence, asked, error) => {
  expect(enabledControllers(asked)).toEqual({ outcome: 'unknown', error });
});
