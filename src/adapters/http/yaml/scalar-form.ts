/** Follows go.yaml.in/yaml/v2 emitterc.go yaml_emitter_analyze_scalar. */
export interface ScalarForm {
  readonly multiline: boolean;
  readonly plain: boolean;
  readonly singleQuoted: boolean;
  readonly block: boolean;
}

const simple = /^[A-Za-z0-9_./][A-Za-z0-9_./-]*$/;
const free: ScalarForm = Object.freeze({ multiline: false, plain: true, singleQuoted: true, block: true });
const lineBreak = /[\n\r\u0085\u2028\u2029]/;
/** Go's emitter escapes tabs and characters of four bytes in UTF-8. */
const special = /[^\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;
const indicator = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[?:-](?:[ \t]|$))|:(?:[ \t]|$)|[ \t\n\r\u0085\u2028\u2029\0]#/;

export function scalarForm(text: string): ScalarForm {
  if (simple.test(text) && !text.startsWith('...')) return free;
  if (text === '') return { multiline: false, plain: true, singleQuoted: true, block: false };
  const multiline = lineBreak.test(text);
  const spaceAfterBreak = /[\n\r\u0085\u2028\u2029] /.test(text);
  const unsafe = special.test(text) || / [\n\r\u0085\u2028\u2029]/.test(text);
  const singleQuoted = !spaceAfterBreak && !unsafe;
  return {
    multiline,
    plain: singleQuoted && !multiline && !/^ | $/.test(text) && !indicator.test(text),
    singleQuoted,
    block: !unsafe && !text.endsWith(' '),
  };
}
