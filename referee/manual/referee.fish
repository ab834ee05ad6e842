# Completion of `referee` for fish: the program itself says what the word that is being typed can become.

function __referee_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] complete $words[2..-1] 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path (commandline -ct)
            case :folders
                __fish_complete_directories (commandline -ct) folder
            case '*'
                echo $line
        end
    end
end

complete -c referee -f -a '(__referee_complete)'
