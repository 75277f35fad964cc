import { expect, test } from 'vitest';
import { bannerText } from '../../../../src/app/cli/serve/start-server.ts';

test('the server says in at most eight lines what to do next', () => {
  const text = bannerText({
    url: 'https://127.0.0.1:6443',
    uiUrl: 'http://127.0.0.1:6480/?token=t',
    kubeconfig: '/a folder/kubeconfig',
    ownPlugins: [],
    startedInMs: 641.3,
    script: '/usr/bin/kadmit',
  });
  expect(text.replace(/kadmit \S+ is/, 'kadmit VERSION is')).toBe(
    [
      'kadmit VERSION is ready at https://127.0.0.1:6443 (641 ms)',
      'In another terminal:',
      "  export KUBECONFIG='/a folder/kubeconfig'",
      '  kubectl apply -f your-webhook-configuration.yaml -f your-pod.yaml',
      '  kadmit explain last    # which webhooks were called, which were not, and why',
      'The page: http://127.0.0.1:6480/?token=t',
      'Ctrl-C stops it.',
    ].join('\n'),
  );
  expect(text.split('\n').length).toBeLessThanOrEqual(8);
});
