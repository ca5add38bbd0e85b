/** Shells that a completion script can be written for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/**
 * Completion scripts. Each hands the words up to the cursor to `assay __complete`, which prints one
 * candidate a line. Files are offered where Assay has nothing to say.
 */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = {
  // Works with the bash 3.2 of macOS, which has no mapfile.
  bash: `# assay completion for bash. Add to ~/.bashrc:  source <(assay completion bash)
_assay_completions() {
  local IFS=$'\\n'
  local current="\${COMP_WORDS[COMP_CWORD]}"
  local candidates
  candidates=$(assay __complete "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
}
complete -o bashdefault -o default -F _assay_completions assay
`,
  zsh: `#compdef assay
# assay completion for zsh. Add to ~/.zshrc:  source <(assay completion zsh)
_assay() {
  local -a candidates
  candidates=("\${(@f)$(assay __complete "\${(@)words[1,CURRENT]}" 2>/dev/null)}")
  if [[ \${#candidates} -gt 0 && -n "\${candidates[1]}" ]]; then
    compadd -a candidates
  else
    _files
  fi
}
if [[ "\${zsh_eval_context[-1]}" == loadautofunc ]]; then
  _assay "$@"
else
  compdef _assay assay
fi
`,
  fish: `# assay completion for fish. Save:  assay completion fish > ~/.config/fish/completions/assay.fish
function __assay_completions
  set -l words (commandline -opc) (commandline -ct)
  assay __complete $words 2>/dev/null
end
complete -c assay -a '(__assay_completions)'
`,
};
