"""`broadsheet completion SHELL`: a script for tab completion of commands, options and paths."""

from argparse import ArgumentParser, Namespace

from broadsheet.cli import exits
from broadsheet.cli.console import Console
from broadsheet.cli.suggestions import COMPLETION_VARIABLE, FILES, FOLDERS

_EXAMPLES = """\
examples:
  eval "$(broadsheet completion bash)"            this shell only; put it in ~/.bashrc for every shell
  eval "$(broadsheet completion zsh)"             likewise; in ~/.zshrc, put it after compinit
  broadsheet completion fish > ~/.config/fish/completions/broadsheet.fish

The script asks the installed broadsheet for suggestions, so it stays correct after an upgrade.
"""

_BASH = f"""\
_broadsheet_completion() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" word meaning IFS
    COMPREPLY=()
    while IFS=$'\\t' read -r word meaning; do
        IFS=$'\\n'
        case "$word" in
            {FILES}) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$current")) ;;
            {FOLDERS}) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- "$current")) ;;
            *) COMPREPLY+=("$word") ;;
        esac
    done < <({COMPLETION_VARIABLE}=1 "${{COMP_WORDS[0]}}" "${{COMP_WORDS[@]:1:COMP_CWORD}}" 2>/dev/null)
}}
complete -F _broadsheet_completion broadsheet
"""

_ZSH = f"""\
#compdef broadsheet
_broadsheet() {{
    local line
    local -a found
    for line in "${{(@f)$({COMPLETION_VARIABLE}=1 "${{words[1]}}" "${{(@)words[2,CURRENT]}}" 2>/dev/null)}}"; do
        case "$line" in
            {FILES}) _files; return ;;
            {FOLDERS}) _files -/; return ;;
            *$'\\t'*) found+=("${{${{line%%$'\\t'*}}//:/\\\\:}}:${{line#*$'\\t'}}") ;;
            ?*) found+=("${{line//:/\\\\:}}") ;;
        esac
    done
    _describe broadsheet found
}}
if [ "${{funcstack[1]}}" = _broadsheet ]; then _broadsheet "$@"; else compdef _broadsheet broadsheet; fi
"""

_FISH = f"""\
function __broadsheet_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in (env {COMPLETION_VARIABLE}=1 $words[1] $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case '{FILES}'
                __fish_complete_path "$current"
            case '{FOLDERS}'
                __fish_complete_directories "$current"
            case '*'
                echo $line
        end
    end
end
complete --command broadsheet --no-files --arguments '(__broadsheet_complete)'
"""

_SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


def configure(parser: ArgumentParser) -> None:
    """Declare the SHELL argument."""
    parser.epilog = _EXAMPLES
    parser.add_argument("shell", metavar="SHELL", choices=sorted(_SCRIPTS), help="bash, fish or zsh")


def execute(args: Namespace, console: Console) -> int:
    """Write the script."""
    console.stdout.write(_SCRIPTS[args.shell])
    return exits.DONE
