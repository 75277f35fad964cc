import { releaseNames } from '../../../machinery/meta/release-names.ts';
import { readBoolean, readChoice, readDuration, readReleaseName, readText } from './flag-readers.ts';
import type { Flag } from './flags.ts';

export const textFlag = (name: string, argument: string, help: string, fallback = ''): Flag<string> => ({
  name,
  argument,
  help,
  fallback,
  read: readText,
});

/** `--name=false` switches it off. */
export const switchFlag = (name: string, help: string): Flag<boolean> => ({
  name,
  argument: 'true|false',
  help,
  fallback: false,
  read: readBoolean,
  isSwitch: true,
});

export const kubeconfigFlag: Flag<string> = textFlag('kubeconfig', 'FILE', 'whose server to ask', '.kadmit/kubeconfig');

export const outputFlag: Flag<'text' | 'json' | 'yaml'> = {
  name: 'output',
  argument: 'text|json|yaml',
  help: 'how to print; -o for short',
  fallback: 'text',
  read: readChoice<'text' | 'json' | 'yaml'>(['text', 'json', 'yaml']),
};

export const kubernetesVersionFlag: Flag<string> = {
  name: 'kubernetes-version',
  argument: 'RELEASE',
  help: `the release of Kubernetes to follow: one of ${releaseNames.join(', ')}, or with its patch number`,
  fallback: '',
  read: readReleaseName,
};

/** '' when not given. */
export const durationFlag = (name: string, help: string): Flag<string> => ({
  name,
  argument: 'DURATION',
  help,
  fallback: '',
  read: readDuration,
});
