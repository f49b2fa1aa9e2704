//! Code that stands in a line as data and reaches a variable that bash evaluates, or does not.
//!
//! Promises every way into a variable that bash has, and every place where a variable's value is evaluated, with some lines in
//! which the way leads elsewhere. Knows nothing of the rest of the line.

use crate::random::Random;

/// Ways of `K`, the code, into the variable `v`; `S` stands where it is evaluated.
const WAYS: &[&str] = &[
    "v=K; S",
    "w=K; v=1; S",
    "w=K; v=$w; S",
    "w=K; v=\"${w}\"; S",
    "w=K; v=${w:-1}; S",
    "w=K; v=${w#x}; S",
    "w=K; v=${#w}; S",
    "v=${nope:-K}; S",
    "a ${v:=K}; S",
    "a \"${nope:-${v=K}}\"; S",
    "v=(1 K); S",
    "w=K; v=($w); S",
    "v=w; w=K; S",
    "v=w; w=z; z=K; S",
    "w=a; u=K; v=${w}b; ab=$u; S",
    "w='a[$'; u='(b x)]'; v=$w$u; S",
    "v='a[$'; v+='(b x)]'; S",
    "v='a[$'; a ${x[$v(b)]} $(( a[$v(b)] )); S",
    "w=('a[$' '(b x)]'); IFS=; v=\"${w[*]}\"; S",
    "w='a[$'; v=\"$w\"'(b x)]'; S",
    "v='a[$'\"(b x)]\"; S",
    "v=a; v+=b; ab=K; S",
    "HOME=K; v=~; S",
    "HOME=K; v=~/x; S",
    "v='$' w='(b x)'; (( a[$v$w] )); S",
    "v=$'a[\\x24(b x)]'; S",
    "w='a[\\x24(b x)]'; v=${w@E}; S",
    "for v in 1 K; do S; done",
    "for w in K; do v=$w; S; done",
    "for v; do S; done",
    "set -- K; for v do S; done",
    "set -- K; v=$1; S",
    "a K; v=$_; S",
    "f() { v=$1; S; }; f K",
    "read -r v <<< K; S",
    "read -rav <<< K; S",
    "b K | while read v; do S; done",
    "mapfile -t v <<< K; S",
    "printf -v v %s K; S",
    "printf -vv %s K; S",
    "v=$(echo K); S",
    "v=$(printf '%b' 'a[\\x24(b x)]'); S",
    "v=`cat <<'E'\nK\nE\n`; S",
    "declare v=K; S",
    "export w=K v=w; S",
    "declare -n r=v; r=K; S",
    "w=v; declare \"$w=\"K; S",
    "w=v; read -r $w <<< K; S",
    "v=K bash -c 'S'",
    "env v=K bash -c 'S'",
    "select v in K; do S; break; done <<< 1",
    "[[ K =~ .* ]]; v=$BASH_REMATCH; S",
    "a=K; b='K'; v=$((1)); S",
    "a K; v=3; S",
    "a K; S",
];

/// Places where the value of `v` is evaluated, and some where it is not.
const PLACES: &[&str] = &[
    "(( v ))",
    "(( v + 1 ))",
    "(( $v ))",
    "a $((v))",
    "a $(( ${v} + 1 ))",
    "a $[v]",
    "[[ v -eq 1 ]]",
    "[[ $v -lt 1 ]]",
    "a ${x[v]}",
    "a ${x[$v]}",
    "a ${v:v}",
    "a ${x:1:v}",
    "a ${nope:-$((v))}",
    "a \"${nope:-${x:v}}\"",
    "a ${!v}",
    "x[v]=1",
    "x[$v]=1",
    "x=([v]=1)",
    "for ((i=v; i<1; i++)); do b; done",
    "let v",
    "let i=v",
    "declare -i n=v",
    "test -v \"$v\"",
    "unset \"$v\"",
    "x=v; (( x ))",
    "x=v; (( $x ))",
    "a $v",
    "a \"${v:-1}\"",
    "[[ $v == 1 ]]",
    "a ${#v}",
];

/// A command line in which data may be evaluated.
pub(super) fn line(random: &mut Random) -> String {
    let code =
        random.pick(&["'a[$(b x)]'", "'a[$(rm -f y)]'", "'x[`foo`]'", "'1+a[$(b $(c))]'", "\\$", "'b'"]);
    let place = random.pick(PLACES);
    let way = random.pick(WAYS).replace('S', place);
    let bare = code.trim_matches('\'');
    way.replace("\nK\n", &format!("\n{bare}\n")).replace('K', code)
}
