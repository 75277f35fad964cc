import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The tokens of style.css: the theme of the page is that of the editor. */
const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--paper)', color: 'var(--ink)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '12px', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '6px 0 40px' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selected)',
  },
  '.cm-gutters': { backgroundColor: 'var(--paper)', border: '0', color: 'var(--quiet)' },
  '.cm-lineNumbers .cm-gutterElement': { opacity: '0.75', padding: '0 4px 0 10px' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--hover) 55%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '.cm-foldGutter .cm-gutterElement': { cursor: 'pointer', padding: '0 3px' },
  '.cm-foldPlaceholder': { border: '0', backgroundColor: 'var(--hover)', color: 'var(--quiet)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--selected)' },
  '.cm-tooltip': {
    overflow: 'hidden',
    maxWidth: '460px',
    border: '1px solid var(--line)',
    borderRadius: '5px',
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    boxShadow: '0 4px 14px rgb(0 0 0 / 16%)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '11.5px', maxHeight: '15em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--selected)',
    color: 'var(--ink)',
  },
  '.cm-completionDetail': { marginLeft: '1em', color: 'var(--quiet)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { color: 'var(--accent)', textDecoration: 'none' },
  '.cm-tooltip.cm-completionInfo': { padding: '6px 10px', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic': { padding: '5px 10px', overflowWrap: 'anywhere' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--bad-fill)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--warn-fill)' },
  '.cm-diagnostic-info': { borderLeft: '3px solid var(--accent)' },
  '.cm-lint-marker': { width: '0.8em', height: '0.8em' },
});

const highlights = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.comment, tags.lineComment, tags.meta], color: 'var(--quiet)' },
  { tag: [tags.keyword, tags.labelName, tags.typeName, tags.attributeValue], color: 'var(--warn)' },
  { tag: [tags.separator, tags.punctuation, tags.bracket, tags.brace], color: 'var(--quiet)' },
]);

export const editorTheme: Extension = [theme, syntaxHighlighting(highlights)];
