/**
 * Scripts that connect a shell with `podmend completion words`. Its last line is a directive, as in kubectl's plugins: `:4` for no files,
 * `:0` for files. Similar names replace the typed word, so shells must not filter again.
 */
export const SHELL_SCRIPTS: Record<string, string> = {
  bash: `# Completion of podmend for bash:  source <(podmend completion bash)
_podmend() {
  local line directive words
  words=$(podmend completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null) || return
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :*) directive=$line ;;
      ?*) COMPREPLY+=("$line") ;;
    esac
  done <<<"$words"
  if [ "$directive" = :0 ]; then
    COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
  elif [ "\${#COMPREPLY[@]}" -eq 1 ] && [[ \${COMPREPLY[0]} == */ ]]; then
    compopt -o nospace 2>/dev/null
  fi
}
# A name after KIND/ is one word.
COMP_WORDBREAKS=\${COMP_WORDBREAKS//\\//}
complete -F _podmend podmend
`,
  zsh: `#compdef podmend
# Completion of podmend for zsh:  source <(podmend completion zsh)
_podmend() {
  local -a lines
  lines=("\${(@f)$(podmend completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ \${lines[-1]} == :0 ]]; then
    _files
    return
  fi
  lines=("\${(@)lines:#:*}")
  lines=("\${(@)lines:#}")
  # A name follows KIND/ without a blank.
  local none=1
  compadd -U -Q -S '' -- "\${(@M)lines:#*/}" && none=0
  compadd -U -Q -- "\${(@)lines:#*/}" && none=0
  return $none
}
compdef _podmend podmend
`,
  fish: `# Completion of podmend for fish:  podmend completion fish | source
function __podmend_words
    set -l typed (commandline -opc) (commandline -ct)
    set -l lines (podmend completion words -- $typed[2..-1] 2>/dev/null)
    test (count $lines) -gt 0; or return
    if test "$lines[-1]" = :0
        __fish_complete_path (commandline -ct)
        return
    end
    string match -v ':*' -- $lines
end
complete -c podmend -f -a '(__podmend_words)'
`,
};
