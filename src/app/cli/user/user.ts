import { dirname, join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { kubeconfigFlag, outputFlag, repeatedFlag, textFlag } from '../../../adapters/config/flags/common-flags.ts';
import { callKadmit, type ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { userKubeconfigText, writeUserKubeconfig } from '../../../adapters/config/kubeconfig/write-kubeconfig.ts';
import { tryWrite } from '../../../adapters/config/read-files.ts';
import { asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, printDocument } from '../terminal/io.ts';

/** `kadmit user`: a kubeconfig of another user, with a client certificate that the running server signs. */
export const userCommand = defineCommand({
  name: 'user',
  group: 'Server',
  synopsis: ['NAME [FLAGS]'],
  purpose: 'write a kubeconfig for another user, with a client certificate',
  details: [
    'The running server signs the certificate with its client CA; it is valid for a year. NAME is its common name, each ' +
      'group an organization. A new user has no permissions besides those of its groups: bind roles to it, as in a cluster.',
  ],
  flags: {
    group: repeatedFlag('group', 'GROUP', 'group of the user'),
    uid: textFlag('uid', 'UID', 'UID of the user; releases from 1.33 read it'),
    out: textFlag('out', 'FILE', 'file to write (-: stdout); default: NAME.kubeconfig beside --kubeconfig'),
    output: outputFlag,
    kubeconfig: kubeconfigFlag,
  },
  positionals: { name: 'NAME', min: 1, max: 1, complete: [{ type: 'nothing' }] },
  examples: ['user ann --group devs', 'user system:serviceaccount:shop:default --out default.kubeconfig'],
  run: async ({ args: [name = ''], options: { group, uid, out, output, kubeconfig } }, io) => {
    if (out === '-' && output !== 'text') throw new ConfigError(`--out - and -o ${output} cannot be used together`);
    const access = await readKubeconfig(kubeconfig);
    const { certificate, key, ca } = await requestUser(access, { name, groups: group, uid });
    const file = {
      url: access.url,
      caPem: ca,
      user: name,
      credential: { type: 'certificate', certificate, key },
    } as const;
    if (out === '-') {
      io.out(userKubeconfigText(file).trimEnd());
      return exitCodes.fine;
    }
    const path = out === '' ? join(dirname(access.kubeconfig), fileNameFor(name)) : out;
    tryWrite(path, () => writeUserKubeconfig(path, file));
    const written = { kubeconfig: path, user: name, groups: group, validUntil: expiryOf(certificate).toISOString() };
    await printDocument(io, output, written, () => writtenText(written));
    return exitCodes.fine;
  },
});

interface IssuedUser {
  readonly certificate: string;
  readonly key: string;
  readonly ca: string;
}

/** Rejects with ConfigError. */
async function requestUser(access: ServerAccess, user: JsonObject): Promise<IssuedUser> {
  const request = { method: 'POST', path: '/kadmit/v1/users', body: JSON.stringify(user) } as const;
  const { certificate, key, ca } = asObject(JSON.parse(await callKadmit(access, request, 'issues no users')));
  return { certificate: asString(certificate), key: asString(key), ca: asString(ca) };
}

/** Only characters that every file system has. */
const fileNameFor = (name: string): string => `${name.replaceAll(/[^\w.@-]/g, '-')}.kubeconfig`;

const expiryOf = (pem: string): Date => new Date(new X509Certificate(pem).validTo);

interface WrittenUser {
  readonly kubeconfig: string;
  readonly user: string;
  readonly groups: readonly string[];
  readonly validUntil: string;
}

function writtenText({ kubeconfig, user, groups, validUntil }: WrittenUser): string {
  const member = groups.length === 0 ? '' : `, in ${groups.join(', ')}`;
  return `${kubeconfig}: ${user}${member}, until ${validUntil.slice(0, 10)}\n  kubectl --kubeconfig ${kubeconfig} auth whoami`;
}
