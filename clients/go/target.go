package haltgate

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
)

// DefaultTarget is where a gate is looked for when neither the program nor the environment names one.
const DefaultTarget = "127.0.0.1:7557"

// TargetVariable is the environment variable that names the gate for [Connect] with an empty target.
const TargetVariable = "HALTGATE_TARGET"

// target is where a gate listens, and how it is spoken to.
type target struct {
	// address as grpc-go takes it.
	address string
	// local is true when nothing leaves this machine.
	local bool
	// tls is true for https, and plain for http; neither leaves it to the options.
	tls, plain bool
	unix       bool
}

func parseTarget(text string) (target, error) {
	if text == "" {
		text = os.Getenv(TargetVariable)
	}
	if text == "" {
		text = DefaultTarget
	}
	if path, found := strings.CutPrefix(text, "unix:"); found {
		path = strings.TrimPrefix(path, "//")
		if path == "" {
			return target{}, targetError(text)
		}
		return target{address: "unix:" + path, local: true, plain: true, unix: true}, nil
	}
	parsed := target{}
	authority := text
	if scheme, rest, found := strings.Cut(text, "://"); found {
		switch scheme {
		case "http":
			parsed.plain = true
		case "https":
			parsed.tls = true
		default:
			return target{}, targetError(text)
		}
		authority = strings.TrimSuffix(rest, "/")
	}
	host, port, err := splitAuthority(authority, parsed.tls)
	if err != nil {
		return target{}, targetError(text)
	}
	parsed.address = net.JoinHostPort(host, port)
	address := net.ParseIP(host)
	parsed.local = host == "localhost" || address != nil && address.IsLoopback()
	return parsed, nil
}

func splitAuthority(authority string, tls bool) (host, port string, err error) {
	read, err := url.Parse("//" + authority)
	if err != nil {
		return "", "", err
	}
	host, port = read.Hostname(), read.Port()
	if port == "" && tls {
		port = "443"
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return "", "", err
	}
	if host == "" || read.User != nil || read.Path != "" || read.RawQuery != "" || read.Fragment != "" {
		return "", "", errors.New("more or less than a host and a port")
	}
	return host, port, nil
}

func targetError(text string) error {
	return fmt.Errorf("haltgate: a gate is HOST:PORT, http://HOST:PORT, https://HOST:PORT or unix:/PATH, not %q", text)
}
