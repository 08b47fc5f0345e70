#!/bin/sh
# An agent for hosts that are killed: notes in <folder>/executions that it was run ("<call> <prompt>"), reports usage, waits to
# be let on (<folder>/acks/<call with _ for />, or <folder>/open for all), and answers "<prompt>!".
#   sh gated-agent.sh <folder>
# Prompts hold no quotes and no backslashes. A shell, since it starts in a fraction of the time that Node takes.
read -r line
prompt=${line#*\"prompt\":\"}
prompt=${prompt%%\"*}
printf '%s %s\n' "$WEFT_CALL" "$prompt" >>"$1/executions"
echo '{"type":"usage","outputTokens":2,"inputTokens":3}'
ack=$1/acks/$(printf %s "$WEFT_CALL" | tr / _)
while [ ! -e "$1/open" ] && [ ! -e "$ack" ]; do sleep 0.02; done
printf '{"type":"result","output":"%s!","usage":{"outputTokens":5,"inputTokens":3}}\n' "$prompt"
