#!/bin/sh
# An agent that kills itself as by kill -9 at its first attempt, where its prompt says: EARLY before its first line, USAGE after
# it has reported usage, MIDLINE within its result, LATE after it. Otherwise it answers "<prompt>!".
#   sh dying-agent.sh <folder>      notes each execution in <folder>/executions
read -r line
prompt=${line#*\"prompt\":\"}
prompt=${prompt%%\"*}
printf '%s %s\n' "$WEFT_CALL" "$prompt" >>"$1/executions"
die() { [ "$WEFT_ATTEMPT" = 1 ] && [ "$prompt" = "$1" ] && kill -9 $$; }
die EARLY
echo '{"type":"usage","outputTokens":2}'
die USAGE
printf '{"type":"result","output":"%s' "$prompt"
die MIDLINE
printf '!","usage":{"outputTokens":5}}\n'
die LATE
