# What the real bash runs for the differential test. It has one process for good, reads lines that end in NUL, and runs each
# in copies of itself in which every command that is not found is written down instead. Nothing here needs another program.
exec 200<&0 202>&1 0</dev/null 2>/dev/null
PATH=/run HOME=/home/u FUNCNEST=8
export PATH HOME

# Writes an argument vector down: each word and a unit separator, between record separators. The format of `time` is the one
# way of writing that no builtin is needed for, so that all of them can be switched off.
command_not_found_handle() {
  TIMEFORMAT=$'\x1e'
  for haltgate_word; do
    # One line is written at once; lines of two processes could mix.
    haltgate_word=${haltgate_word//$'\n'/$'\x1d'}
    TIMEFORMAT+=${haltgate_word//\%/%%}$'\x1f'
  done
  TIMEFORMAT+=$'\x1e'
  { time [[ x ]]; } 2>&201
  # Succeeds or fails as the run has it, and the other way round once the line takes long, so that loops end.
  [[ $haltgate_result -eq $((${EPOCHREALTIME/[.,]/} > haltgate_deadline)) ]]
}
export -f command_not_found_handle
export haltgate_result=0 haltgate_deadline

# Frequent commands as functions, which need no process of their own: one of the runs is faster for it.
haltgate_functions=
for haltgate_word in a b c rm git foo ls echo cd x-y tar; do
  haltgate_functions+="$haltgate_word() { command_not_found_handle $haltgate_word \"\$@\"; };"
done

# Switches off what runs inside bash itself, so that it is written down too. Loops and functions need what is left.
haltgate_plain='enable -n echo printf test [ cd pwd kill alias unalias trap command builtin . source exec eval let declare \
typeset export read compgen complete compopt mapfile readarray jobs unset local readonly type hash ulimit umask set shopt \
wait fg bg disown suspend history fc getopts dirs pushd popd times bind caller help exit shift true false logout enable'
# Switches off what could reach the recorder itself.
haltgate_evaluating='enable -n kill suspend'

# A line has two letters in front: `v` where it is asked whether the line is valid, and `e` for a run with builtins.
while IFS= read -r -d '' haltgate_line <&200; do
  haltgate_wanted=${haltgate_line:0:2} haltgate_line=${haltgate_line:2}
  haltgate_status=-
  if [[ $haltgate_wanted = v? ]]; then
    # Read and not run.
    (exec 200<&- 202>&-; ulimit -t 1; eval $'set -n\n'"$haltgate_line")
    haltgate_status=$?
  fi
  # Each output ends when the last process that could still write ends, so that nothing has to be waited for.
  haltgate_first=$(exec 201>&1 1>/dev/null 200<&- 202>&-; ulimit -t 1
    PATH=/none haltgate_deadline=$((${EPOCHREALTIME/[.,]/} + 150000))
    eval "$haltgate_plain"$'\n'"$haltgate_line")
  haltgate_second=$(exec 201>&1 1>/dev/null 200<&- 202>&-; ulimit -t 1
    PATH=/none haltgate_deadline=$((${EPOCHREALTIME/[.,]/} + 150000)) haltgate_result=1 x=q y=q z=(1 2)
    eval "$haltgate_functions$haltgate_plain"$'\n'"$haltgate_line")
  haltgate_third=
  if [[ $haltgate_wanted = ?e ]]; then
    haltgate_third=$(exec 201>&1 1>/dev/null 200<&- 202>&-; ulimit -t 1
      haltgate_deadline=$((${EPOCHREALTIME/[.,]/} + 150000))
      eval "$haltgate_evaluating"$'\n'"$haltgate_line")
  fi
  printf '%s\0%s\0%s\0%s\0' "$haltgate_status" "$haltgate_first" "$haltgate_second" "$haltgate_third" >&202
done
