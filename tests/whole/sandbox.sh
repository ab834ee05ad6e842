#!/bin/sh
# The sandbox as users see it: levels, refusals, logs, and the report of `referee doctor`.

referee=$BUILD/referee
good=$BUILD/tests/hostile/good
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
without_bwrap=$folder/path
mkdir "$without_bwrap"

# judge NAME: the last command decides.
judge()
{
    if [ $? -eq 0 ]; then
        echo "ok $1"
    else
        echo "not ok $1: $(tail -n 3 "$folder/stderr" | tr '\n' ' ')"
    fi
}

# play LEVEL BOT...: one short match with a log.
play()
{
    level=$1
    shift
    rm -f "$folder/log"
    PATH=${path:-$PATH} "$referee" play --quiet --contain="$level" --seed secret-words --set turn_limit=3 --move-ms 60000 \
        --start-ms 60000 --log "$folder/log" "$@" >"$folder/stdout" 2>"$folder/stderr"
}

"$referee" doctor --json >"$folder/doctor" 2>"$folder/stderr"
has_level()
{
    jq -e ".$1" "$folder/doctor" >/dev/null
}

for level in guarded sealed; do
    name="$level is in the log with what it enforces, and the log is proved"
    if has_level $level; then
        play $level "$good" "$good" && head -n 1 "$folder/log" | jq -e \
            ".contain == \"$level\" and (.enforced | split(\" \") | index(\"filter\") != null)" \
            >/dev/null && "$referee" replay --verify "$folder/log" >/dev/null 2>"$folder/stderr"
        judge "$name"
    else
        echo "skip $name: see referee doctor"
    fi
done

play none "$good" "$good" && head -n 1 "$folder/log" | jq -e '.contain == "none" and .enforced == null' \
    >/dev/null
judge 'without containment the log names nothing that is enforced'

(path=$without_bwrap play sealed "$good" "$good")
[ $? -eq 1 ] && grep -q 'level sealed: namespaces: there is no program bwrap' "$folder/stderr" &&
    [ ! -e "$folder/log" ]
judge 'a level that is named and not there is refused'

(path=$without_bwrap play auto "$good" "$good") &&
    grep -q 'not enforced here: namespaces .*there is no program bwrap' "$folder/stderr"
judge 'auto takes what is there and says what is not'

"$referee" play --contain=maximal "$good" "$good" 2>"$folder/stderr"
[ $? -eq 2 ] && grep -q 'auto, sealed, guarded or none' "$folder/stderr"
judge 'an unknown level is a mistake'

cat >"$folder/looks" <<'END'
#!/bin/sh
tr '\0' ' ' <"/proc/$PPID/cmdline" >&2
exec "$0.good"
END
chmod 755 "$folder/looks"
cp "$good" "$folder/looks.good"
play none "$folder/looks" "$good" && grep -q -- --seed "$folder/log.stderr.0" &&
    ! grep -q secret-words "$folder/log.stderr.0"
judge 'the seed is not among the arguments that everybody can read'

"$referee" doctor >"$folder/stdout" 2>"$folder/stderr" && grep -q '^  limits  *works ' "$folder/stdout" &&
    grep -q '^  contain ' "$folder/stdout" && grep -q '^  seatings single' "$folder/stdout" &&
    grep -q 'may know its cards' "$folder/stdout" && [ "$(grep -c ' ms$' "$folder/stdout")" -eq 4 ]
judge 'the doctor reports parts, timers and advice'

# A bot that outlives its own parent, and a referee that is killed: only bubblewrap ends the bot then.
cat >"$folder/stays" <<'END'
#!/bin/sh
(sleep MARK >/dev/null 2>&1 &)
exec "$0.good" "$@"
END
# No other process sleeps for this long.
mark=8765$$
sed -i "s/MARK/$mark/" "$folder/stays"
chmod 755 "$folder/stays"
cp "$BUILD/tests/hostile/silent" "$folder/stays.good"
is_there()
{
    grep -lsz "$mark" /proc/[0-9]*/cmdline >/dev/null
}
name='nothing outlives a referee that is killed where bots are sealed'
if has_level sealed; then
    "$referee" play --quiet --contain=sealed --move-ms 300000 --start-ms 300000 "$folder/stays" "$good" >/dev/null 2>&1 &
    pid=$!
    until is_there; do
        kill -0 $pid 2>/dev/null || break
        sleep 0.1
    done
    kill -9 $pid
    wait $pid 2>/dev/null
    tries=0
    while is_there && [ $tries -lt 3000 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
    ! is_there
    judge "$name"
else
    echo "skip $name: see referee doctor"
fi
