# shellcheck shell=bash
# What a test program is given besides arguments and standard input, from lines in its own comments. To be sourced.
#
#   // file: NAME TEXT     a file in the working directory, as printf %b takes it; mode 644, of 2001
#   // env: NAME=VALUE     a variable of the environment
#
# given_read PROGRAM sets given_options (of tandem), given_env (of env) and given_names (of tandem record); given_lay puts the files there, afresh.

given_lines() { sed -n "s|^// $1: \{0,1\}||p" "$given_source"; }

given_lay() {
    local name text
    while read -r name text; do
        [ -n "$name" ] || continue
        mkdir -p "$(dirname "$name")"
        rm -f "$name"
        printf '%b' "$text" > "$name"
        chmod 644 "$name"
        touch -d @1000000000 "$name"
    done < <(given_lines file)
}

given_read() {
    local name text line
    given_source=$1 given_options=() given_env=() given_names=()
    while read -r name text; do
        [ -z "$name" ] || given_options+=(--file "$name=$name")
    done < <(given_lines file)
    while read -r line; do
        [ -z "$line" ] || { given_options+=(--env "$line"); given_env+=("$line"); given_names+=(--env "${line%%=*}"); }
    done < <(given_lines env)
    given_lay
}
