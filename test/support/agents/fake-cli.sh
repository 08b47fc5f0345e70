#!/bin/sh
# Stands for a command-line agent. In the folder $WEFT_TEST_CLI it writes down what its n-th process was given (argv.n, env.n,
# stdin.n read to its end, schema.n for a file named after --output-schema, home.n for $CODEX_HOME/config.toml), prints out.n
# as it is, and then does what the shell script then.n says.
d=$WEFT_TEST_CLI
n=0
while [ -e "$d/argv.$n" ]; do n=$((n + 1)); done
printf '%s\n' "$@" > "$d/argv.$n"
env > "$d/env.$n"
[ -n "$CODEX_HOME" ] && [ -e "$CODEX_HOME/config.toml" ] && cp "$CODEX_HOME/config.toml" "$d/home.$n"
previous=
for argument in "$@"; do
  [ "$previous" = --output-schema ] && cp "$argument" "$d/schema.$n"
  previous=$argument
done
cat > "$d/stdin.$n"
[ -e "$d/out.$n" ] && cat "$d/out.$n"
[ -e "$d/then.$n" ] && . "$d/then.$n"
exit 0
