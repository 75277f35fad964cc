export interface PageParts {
  readonly script: string;
  readonly style: string;
}

/** A gate with a tick. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#1559c0"/><path d="M4 12V6a4 4 0 0 1 8 0v6M5.8 8.6l1.6 1.6 2.9-3.4" fill="none" stroke="#fff" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"/></svg>';

export const iconUrl = `data:image/svg+xml,${encodeURIComponent(icon)}`;

const head = (policy: string, rest: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${policy}<meta name="referrer" content="no-referrer">
<title>kadmit</title>
<link rel="icon" href="${iconUrl}">
${rest}</head>
<body>
<div id="page"></div>
`;

/** The page as a server sends it, with script, style and policy apart. */
export const servedPage = `${head(
  '',
  '<link rel="stylesheet" href="/page.css">\n<script type="module" src="/page.js"></script>\n',
)}</body>\n</html>\n`;

export const embeddedId = 'kadmit-traces';

/** The type of that element when its text is base64 of gzip. */
export const packedType = 'application/gzip';

/** JSON, or base64 of its gzip when it is long. */
export interface EmbeddedData {
  readonly text: string;
  readonly isPacked: boolean;
}

/** The complete page for opening from disk. `hashes`: the CSP sources of this script and style. */
export function pageFile(
  { script, style }: PageParts,
  data: EmbeddedData,
  hashes: { readonly script: string; readonly style: string },
): string {
  const policy = `default-src 'none'; script-src '${hashes.script}'; style-src '${hashes.style}'; img-src data:; base-uri 'none'; form-action 'none'`;
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">\n`;
  return `${head(meta, `<style>${style}</style>\n`)}${dataElement(data)}
<script type="module">${script}</script>
</body>
</html>
`;
}

const dataElement = ({ text, isPacked }: EmbeddedData): string =>
  isPacked
    ? `<script type="${packedType}" id="${embeddedId}">${text}</script>`
    : `<script type="application/json" id="${embeddedId}">${escapedJson(text)}</script>`;

/** JSON that cannot end its script element. */
export const escapedJson = (json: string): string =>
  json
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);

/** Is the text safe inside a script or style element? */
export const isEmbeddable = (text: string): boolean => !/<\/(?:script|style)|<!--/i.test(text);
