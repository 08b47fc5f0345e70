#!/bin/sh
# The agent of the torture run: does what its prompt says (see make-script.ts) and answers with the prompt's checksum.
#   sh agent.sh <folder>     notes each beginning in <folder>/executions: "<run> <call path> <attempt>"
read -r line
prompt=${line#*\"prompt\":\"}
prompt=${prompt%%\"*}
# The host's framing stands ahead of the script's own words.
prompt="call=${prompt##*call=}"
printf '%s %s %s\n' "$WEFT_RUN_ID" "$WEFT_CALL" "$WEFT_ATTEMPT" >>"$1/executions"
sum=$(printf %s "$prompt" | cksum)
sum=${sum%% *}
wait=${prompt#*wait=}
echo '{"type":"usage","outputTokens":2,"inputTokens":3}'
sleep "${wait%% *}"
case $prompt in
*change=1*) printf '%s\n' "$sum" >"changed by $sum" ;;
esac
case $prompt in
*fail=once*)
  [ "$WEFT_ATTEMPT" = 1 ] && echo '{"type":"error","message":"not this time","reason":"network","retryable":true}' && exit
  ;;
*fail=always*) echo '{"type":"error","message":"never: '"$sum"'","reason":"other","retryable":false}' && exit ;;
esac
case $prompt in
*answer=wrong-first*)
  echo '{"type":"result","output":{"sum":"no number"}}'
  read -r _
  printf '{"type":"result","output":{"sum":%s},"usage":{"outputTokens":5,"inputTokens":3}}\n' "$sum"
  ;;
*answer=object*) printf '{"type":"result","output":{"sum":%s},"usage":{"outputTokens":5,"inputTokens":3}}\n' "$sum" ;;
*answer=large*)
  printf '{"type":"result","output":"%s' "$sum"
  # More than a pipe holds at once.
  head -c 300000 /dev/zero | tr '\0' x
  printf '","usage":{"outputTokens":5,"inputTokens":3}}\n'
  ;;
*) printf '{"type":"result","output":"%s","usage":{"outputTokens":5,"inputTokens":3}}\n' "$sum" ;;
esac
