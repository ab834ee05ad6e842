# Completion of `referee` for bash: the program itself says what the word that is being typed can become.

_referee()
{
    local word line IFS=$'\n'
    local current=${COMP_WORDS[COMP_CWORD]}

    # bash cuts words at `=`: what stands before the last one belongs to the word, but is not replaced.
    local words=("${COMP_WORDS[@]:1:COMP_CWORD}") joined=() prefix=
    for word in "${words[@]}"; do
        if [[ ${#joined[@]} -gt 0 && ( $word == = || ${joined[-1]} == *= ) ]]; then
            joined[-1]+=$word
        else
            joined+=("$word")
        fi
    done
    [[ ${#joined[@]} -gt 0 && ${joined[-1]} == *=* ]] && prefix=${joined[-1]%%=*}=

    COMPREPLY=()
    for line in $("${COMP_WORDS[0]}" complete "${joined[@]}" 2>/dev/null); do
        case $line in
        :files) COMPREPLY+=($(compgen -f -- "$current")); compopt -o filenames 2>/dev/null ;;
        :folders) COMPREPLY+=($(compgen -d -- "$current")); compopt -o filenames 2>/dev/null ;;
        *)
            line=${line%%$'\t'*}
            COMPREPLY+=("${line#"$prefix"}")
            [[ $line == *= ]] && compopt -o nospace 2>/dev/null
            ;;
        esac
    done
}

complete -F _referee referee
