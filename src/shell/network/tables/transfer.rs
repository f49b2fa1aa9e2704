//! Programs that fetch and send over the web's protocols.

use super::Takes::{At, Next, Nothing, Sent, SentFile, SentForm, Silences, SilencesValue, Unseen, Value};
use super::{Form, Program};
use crate::shell::network::style::Style::{
    Address, AddressList, ConnectTo, Host, HttpItem, Mentions, Plain, Resolve, Script, Url,
};

pub(super) static TABLE: &[Program] = &[
    Program {
        names: &["curl", "curlie", "tiny-curl"],
        options: &[
            (
                At(Address),
                "--url --doh-url --proxy -x --preproxy --socks4 --socks4a --socks5 --socks5-hostname \
                    --proxy1.0 --ipfs-gateway",
            ),
            (At(AddressList), "--dns-servers"),
            (At(Resolve), "--resolve"),
            (At(ConnectTo), "--connect-to"),
            (Unseen, "-K --config"),
            (
                Sent,
                "-d --data --data-ascii --data-binary --data-raw --data-urlencode --json -H --header \
                    --proxy-header -u --user --url-query -A --user-agent -e --referer -b --cookie -U \
                    --proxy-user --oauth2-bearer --variable",
            ),
            (SentForm, "-F --form --form-string"),
            (SentFile, "-T --upload-file"),
            (SilencesValue, "--unix-socket --abstract-unix-socket"),
            (Next, "--next -:"),
            (
                Value,
                "-o --output --output-dir --haproxy-clientip -w --write-out -X --request \
                    --request-target -m --max-time --connect-timeout --retry --retry-delay \
                    --retry-max-time -c --cookie-jar -D --dump-header -E --cert --cert-type --key \
                    --key-type --pass --cacert --capath --pinnedpubkey --ciphers --tls13-ciphers \
                    --tls-max --curves --sigalgs --engine --crlfile --proxy-cacert --proxy-capath \
                    --proxy-cert --proxy-cert-type --proxy-key --proxy-key-type --proxy-pass \
                    --proxy-ciphers --proxy-crlfile --proxy-pinnedpubkey --proxy-service-name \
                    --proxy-tls13-ciphers --proxy-tlsauthtype --proxy-tlspassword --proxy-tlsuser \
                    --tlsauthtype --tlspassword --tlsuser --noproxy --interface --local-port \
                    --dns-interface --dns-ipv4-addr --dns-ipv6-addr -r --range -C --continue-at -y \
                    --speed-time -Y --speed-limit -z --time-cond --limit-rate --rate --max-filesize \
                    --max-redirs --keepalive-time --keepalive-cnt --proto --proto-redir --proto-default \
                    --netrc-file --stderr --trace --trace-ascii --trace-config --libcurl --aws-sigv4 \
                    --delegation --service-name --socks5-gssapi-service --login-options --mail-auth \
                    --mail-from --mail-rcpt --sasl-authzid --krb --ftp-account \
                    --ftp-alternative-to-user --ftp-ssl-ccc-mode --ftp-method --ftp-port -P -Q --quote -t --telnet-option \
                    --tftp-blksize --happy-eyeballs-timeout-ms --expect100-timeout --create-file-mode \
                    --hostpubmd5 --hostpubsha256 --pubkey --random-file --egd-file --etag-save \
                    --etag-compare --alt-svc --hsts --parallel-max --ech --ip-tos --vlan-priority \
                    --stderr --max-concurrent-streams --upload-flags",
            ),
            (
                Nothing,
                "-s -S -L -f -k -v -i -I -G -g -N -n -O -J -R -a -j -l -p -q -B -Z -V -M -h -# -0 -1 -2 \
                    -3 -4 -6 --fail --fail-with-body --location --silent --show-error --netrc \
                    --netrc-optional --parallel --crlf --keepalive --ssl --ca-native --head --include \
                    --insecure --compressed --globoff --get --remote-name --remote-header-name \
                    --create-dirs",
            ),
        ],
        forms: &[Form { operands: &[Address], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["wget", "wget2"],
        options: &[
            (Unseen, "-i --input-file --config"),
            (At(Address), "-B --base --referer-base"),
            (At(Mentions), "-e --execute"),
            (
                Sent,
                "--post-data --body-data --header --user --password --http-user --http-password -U \
                    --user-agent --referer",
            ),
            (SentFile, "--post-file --body-file"),
            (
                Value,
                "-O --output-document -P --directory-prefix -o --output-file -a --append-output -t \
                    --tries -T --timeout -w --wait --waitretry -Q --quota -l --level -A --accept -R \
                    --reject -D --domains --exclude-domains -I --include-directories -X \
                    --exclude-directories --accept-regex --reject-regex --limit-rate --bind-address \
                    --cut-dirs --load-cookies --save-cookies --method --ca-certificate --ca-directory \
                    --certificate --private-key --certificate-type --private-key-type --ciphers \
                    --secure-protocol --dns-timeout --connect-timeout --read-timeout \
                    --retry-on-http-error --default-page --follow-tags --ignore-tags --warc-file \
                    --progress --max-redirect --start-pos --proxy-user --proxy-password --ftp-user \
                    --ftp-password --local-encoding --remote-encoding --report-speed --rejected-log \
                    --restrict-file-names --compression --preferred-location --use-askpass --hsts-file \
                    --crl-file --pinnedpubkey --prefer-family --regex-type --warc-header \
                    --warc-max-size --warc-dedup --warc-tempdir",
            ),
        ],
        forms: &[Form { operands: &[Address], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["aria2c"],
        options: &[
            (Unseen, "-i --input-file --conf-path -T --torrent-file -M --metalink-file"),
            (At(Address), "--all-proxy --http-proxy --https-proxy --ftp-proxy --referer --bt-tracker"),
            (
                Value,
                "-d --dir -o --out -l --log -j --max-concurrent-downloads -s --split -x \
                    --max-connection-per-server -k --min-split-size -t --timeout -m --max-tries -U \
                    --user-agent --header --checksum --load-cookies --save-cookies --http-user \
                    --http-passwd --max-download-limit --max-overall-download-limit --save-session \
                    --rpc-listen-port --rpc-secret -u --max-upload-limit --seed-time --seed-ratio \
                    --listen-port --file-allocation --retry-wait --connect-timeout",
            ),
        ],
        forms: &[Form { operands: &[Address], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["http", "https", "httpie", "xh", "xhs"],
        options: &[
            (At(Mentions), "--proxy"),
            (Sent, "--raw"),
            (SilencesValue, "--unix-socket"),
            (
                Value,
                "-a --auth -A --auth-type --bearer -o --output --session --session-read-only --timeout \
                    --verify --cert --cert-key -p --print -s --style --pretty --max-redirects \
                    --default-scheme --ssl --ciphers --boundary --response-charset --response-mime \
                    --format-options --interface --compress-level --http-version",
            ),
        ],
        forms: &[Form { operands: &[HttpItem, HttpItem, Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["nc", "ncat", "netcat", "nc.traditional", "nc.openbsd", "pwncat"],
        options: &[
            (Silences, "-l --listen -U --unixsock"),
            (At(Address), "-x --proxy"),
            (
                Value,
                "-p --source-port -s --source -w --wait -i --idle-timeout --delay -e --exec -c \
                    --sh-exec -X --proxy-type --proxy-auth -q -I -O -T -M -m -P -G -g --hop-sptr \
                    --lua-exec -o --output --hex-dump --allow --deny --ssl-cert --ssl-key \
                    --ssl-trustfile --ssl-ciphers",
            ),
        ],
        forms: &[Form { operands: &[Host, Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &[
            "axel",
            "lwp-request",
            "get",
            "lwp-download",
            "fetch",
            "lynx",
            "w3m",
            "links",
            "links2",
            "elinks",
            "snarf",
            "puf",
            "httrack",
        ],
        options: &[],
        forms: &[Form { operands: &[Url], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["yt-dlp", "youtube-dl", "gallery-dl", "spotdl", "you-get"],
        options: &[
            (At(Address), "--proxy --geo-verification-proxy --referer"),
            (Unseen, "-a --batch-file --config-locations --load-info-json"),
            (
                Value,
                "-o --output -f --format -P --paths --cookies -u --username -p --password \
                    --download-archive --postprocessor-args -r --limit-rate --audio-format \
                    --audio-quality --merge-output-format --sub-langs --playlist-items --user-agent \
                    --add-header --exec",
            ),
        ],
        forms: &[Form { operands: &[Address], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["wscat", "websocat", "grpcurl", "evans"],
        options: &[
            (At(Address), "-c --connect --host --proxy"),
            (
                Value,
                "-H --header -d -proto -import-path -cert -key -cacert -authority -p --port -s --subprotocol",
            ),
        ],
        forms: &[Form { operands: &[Address, Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &[
            "ab",
            "wrk",
            "wrk2",
            "hey",
            "siege",
            "oha",
            "bombardier",
            "vegeta",
            "k6",
            "autocannon",
            "lighthouse",
        ],
        options: &[(At(Address), "--proxy -x -X"), (Unseen, "--urls-file --targets")],
        forms: &[Form { operands: &[Url], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["iwr", "irm", "invoke-webrequest", "invoke-restmethod", "start-bitstransfer"],
        options: &[
            (At(Address), "-uri -proxy -source"),
            (Sent, "-body -headers"),
            (SentFile, "-infile"),
            (
                Value,
                "-outfile -method -contenttype -useragent -timeoutsec -credential -certificate \
                    -websession -sessionvariable -destination -token -authentication -form \
                    -maximumredirection",
            ),
            (Nothing, "-usebasicparsing -usedefaultcredentials -passthru -skipcertificatecheck"),
        ],
        forms: &[Form { operands: &[Address, Plain], ..Form::NEW }],
        folds_case: true,
        ..Program::NEW
    },
    Program {
        names: &["telnet"],
        options: &[(Value, "-l -n -b -X -k -S -e")],
        forms: &[Form { operands: &[Host, Plain], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["ftp", "tnftp", "tftp", "gopher"],
        options: &[(Value, "-P -q -N -m")],
        forms: &[Form { operands: &[Host], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &["lftp", "ncftp", "ncftpput", "ncftpget"],
        options: &[(At(Script), "-e -c"), (Unseen, "-f"), (Value, "-p -u -P")],
        forms: &[Form { operands: &[Host, Url], ..Form::NEW }],
        ..Program::NEW
    },
    Program {
        names: &[
            "xdg-open",
            "open",
            "sensible-browser",
            "x-www-browser",
            "www-browser",
            "firefox",
            "chromium",
            "chromium-browser",
            "google-chrome",
            "chrome",
            "start",
            "explorer",
        ],
        options: &[(At(Address), "--proxy-server")],
        forms: &[Form { operands: &[Url], ..Form::NEW }],
        ..Program::NEW
    },
];
