import { defineAction, defineCommandWithActions } from '../command.ts';
import { exitCodes } from '../terminal/io.ts';

/** The scripts call `kadmit completion of -- WORD...`, whose lines are words, or `:files` or `:folders`. */
const bash = `_kadmit() {
  local cur words cword line
  COMPREPLY=()
  if declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref -n =: cur words cword
  else
    cur=\${COMP_WORDS[COMP_CWORD]} words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD
  fi
  local begun=$cur
  case $cur in --*=*) begun=\${cur#*=} ;; esac
  while IFS=$'\\t' read -r line _; do
    case $line in
      :files) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$begun") ;;
      :folders) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$begun") ;;
      *) COMPREPLY+=("$line") ;;
    esac
  done < <("\${words[0]}" completion of -- "\${words[@]:1:cword}" 2>/dev/null)
  [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == */ ]] && compopt -o nospace 2>/dev/null
  declare -F __ltrim_colon_completions >/dev/null && __ltrim_colon_completions "$cur"
  return 0
}
complete -F _kadmit kadmit`;

const zsh = `#compdef kadmit
_kadmit() {
  local -a found open
  local line word
  for line in "\${(@f)$("\${words[1]}" completion of -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      ('') ;;
      (:files) compset -P '--*='; _files; return ;;
      (:folders) compset -P '--*='; _files -/; return ;;
      (*)
        word=\${\${line%%$'\\t'*}//:/\\\\:}
        [[ $line == *$'\\t'* ]] && word+=:\${line#*$'\\t'}
        if [[ \${line%%$'\\t'*} == */ ]]; then open+=("$word"); else found+=("$word"); fi ;;
    esac
  done
  compset -P '--*='
  _describe -V kadmit found -- open -S ''
}
compdef _kadmit kadmit`;

const fish = `function __kadmit
    set -l words (commandline -opc) (commandline -ct)
    set -l flag (commandline -ct | string match -r '^--[^=]*=')
    for line in ($words[1] completion of -- $words[2..-1] 2>/dev/null)
        switch $line
            case ':files'
                string replace -r -- '^' "$flag" (__fish_complete_path (commandline -ct | string replace -r '^--[^=]*=' ''))
            case ':folders'
                string replace -r -- '^' "$flag" (__fish_complete_directories (commandline -ct | string replace -r '^--[^=]*=' '') '')
            case '*'
                echo "$flag$line"
        end
    end
end
complete -c kadmit -f -a '(__kadmit)'`;

export const scripts: Readonly<Record<string, string>> = { bash, zsh, fish };

/** `kadmit completion SHELL` prints the script for a shell. */
export const completionCommand = defineCommandWithActions({
  name: 'completion',
  group: 'Server',
  purpose: 'print a shell completion script',
  details: [
    'Completes commands, flags, files, and names of the running server. To keep it, add the line to ~/.bashrc, to ~/.zshrc ' +
      'after compinit, or to ~/.config/fish/config.fish (kadmit completion fish | source).',
  ],
  examples: ['completion bash > ~/.kadmit-completion', 'completion fish | source'],
  actions: Object.entries(scripts).map(([name, script]) =>
    defineAction({
      name,
      synopsis: [''],
      flags: {},
      run: (_input, io) => {
        io.out(script);
        return Promise.resolve(exitCodes.fine);
      },
    }),
  ),
});
