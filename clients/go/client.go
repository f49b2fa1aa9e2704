package haltgate

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"time"

	pb "github.com/haltgate/haltgate/clients/go/haltgate/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
)

// DefaultDeadline is how long a request may take unless [WithDeadline] says otherwise. Waiting for a human comes on
// top.
const DefaultDeadline = 10 * time.Second

// DefaultReconnectFor is how long a decision that waits for a human looks for a gate that is gone.
const DefaultReconnectFor = 30 * time.Second

// The largest message that is accepted, in bytes: a page of records holds many commands of up to 1 MiB.
const maxMessageBytes = 64 << 20

// Client is a connection to a gate. It connects when it is first used, and again whenever the connection is lost.
type Client struct {
	connection   *grpc.ClientConn
	stub         pb.ApprovalGateClient
	project      string
	deadline     time.Duration
	reconnectFor time.Duration
}

type connectSettings struct {
	token         string
	insecureToken bool
	tls           *tls.Config
	roots         *x509.CertPool
	deadline      time.Duration
	reconnectFor  time.Duration
	project       string
	dial          []grpc.DialOption
	problem       error
}

// Option sets up a connection.
type Option func(*connectSettings)

// WithToken sends a bearer token with every request. It is refused over an unencrypted connection to another machine.
func WithToken(token string) Option {
	return func(settings *connectSettings) { settings.token = token }
}

// WithInsecureToken lets the token of [WithToken] travel unencrypted to another machine, where anybody on the way can
// read it. It is for networks that encrypt by themselves.
func WithInsecureToken() Option {
	return func(settings *connectSettings) { settings.insecureToken = true }
}

// WithTLS encrypts the connection and believes the certificates that the system believes. A target with https:// does
// the same.
func WithTLS() Option {
	return func(settings *connectSettings) { settings.encrypted() }
}

// WithTLSConfig encrypts the connection as the configuration says. Options after it add to a copy of it.
func WithTLSConfig(configuration *tls.Config) Option {
	return func(settings *connectSettings) { settings.tls = configuration.Clone() }
}

// WithCAFile encrypts the connection and believes only the certificates in this PEM file.
func WithCAFile(path string) Option {
	return func(settings *connectSettings) {
		certificates, err := os.ReadFile(path)
		if err != nil {
			settings.fail(fmt.Errorf("haltgate: cannot read the CA certificates: %w", err))
			return
		}
		WithCACertificates(certificates)(settings)
	}
}

// WithCACertificates encrypts the connection and believes only these certificates, in PEM form.
func WithCACertificates(certificates []byte) Option {
	return func(settings *connectSettings) {
		if settings.roots == nil {
			settings.roots = x509.NewCertPool()
		}
		if !settings.roots.AppendCertsFromPEM(certificates) {
			settings.fail(errors.New("haltgate: there is no PEM certificate among the CA certificates"))
		}
		settings.encrypted().RootCAs = settings.roots
	}
}

// WithClientCertificateFiles encrypts the connection and shows the server this certificate, from two PEM files.
func WithClientCertificateFiles(certificatePath, keyPath string) Option {
	return func(settings *connectSettings) {
		certificate, err := tls.LoadX509KeyPair(certificatePath, keyPath)
		if err != nil {
			settings.fail(fmt.Errorf("haltgate: cannot read the client's certificate and key: %w", err))
			return
		}
		configuration := settings.encrypted()
		configuration.Certificates = append(configuration.Certificates, certificate)
	}
}

// WithDeadline bounds every request. The default is [DefaultDeadline]. Waiting for a human comes on top, and feeds have
// none. An earlier deadline of the context holds as well.
func WithDeadline(deadline time.Duration) Option {
	return func(settings *connectSettings) {
		if deadline <= 0 {
			settings.fail(errors.New("haltgate: the deadline must be more than nothing"))
		}
		settings.deadline = deadline
	}
}

// WithReconnectFor sets how long a decision that waits for a human looks for a gate that is gone before it gives up.
// The default is [DefaultReconnectFor].
func WithReconnectFor(limit time.Duration) Option {
	return func(settings *connectSettings) { settings.reconnectFor = limit }
}

// WithProject names the project of all requests. The default is the server's: "default".
func WithProject(project string) Option {
	return func(settings *connectSettings) { settings.project = project }
}

// WithDialOptions sets the connection up with options of grpc-go, after this package's own. It is for what observes
// requests, such as the stats handler of otelgrpc, which hands the trace of the context on:
//
//	haltgate.WithDialOptions(grpc.WithStatsHandler(otelgrpc.NewClientHandler()))
//
// Without it, a traceparent in the outgoing metadata of the context is sent, as with every client of grpc-go.
func WithDialOptions(options ...grpc.DialOption) Option {
	return func(settings *connectSettings) { settings.dial = append(settings.dial, options...) }
}

func (settings *connectSettings) encrypted() *tls.Config {
	if settings.tls == nil {
		settings.tls = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	return settings.tls
}

func (settings *connectSettings) fail(problem error) {
	if settings.problem == nil {
		settings.problem = problem
	}
}

// Connect sets up a connection to a gate: "HOST:PORT", "http://HOST:PORT", "https://HOST:PORT" or "unix:/PATH". An empty
// target is the one in HALTGATE_TARGET, and else [DefaultTarget].
//
// It fails on what can never work, and does not wait for the gate: the first request does.
func Connect(gate string, options ...Option) (*Client, error) {
	settings := connectSettings{deadline: DefaultDeadline, reconnectFor: DefaultReconnectFor}
	for _, option := range options {
		option(&settings)
	}
	if settings.problem != nil {
		return nil, settings.problem
	}
	parsed, err := parseTarget(gate)
	if err != nil {
		return nil, err
	}
	if parsed.plain && settings.tls != nil {
		return nil, errors.New("haltgate: TLS was asked for, and the target is one without: write https://HOST:PORT")
	}
	if parsed.tls {
		settings.encrypted()
	}
	if settings.token != "" && settings.tls == nil && !parsed.local && !settings.insecureToken {
		return nil, errors.New("haltgate: a token would travel unencrypted to another machine: " +
			"use https://HOST:PORT, or WithInsecureToken where the network encrypts by itself")
	}
	connection, err := grpc.NewClient(parsed.address, dialOptions(parsed, &settings)...)
	if err != nil {
		return nil, fmt.Errorf("haltgate: %w", err)
	}
	return &Client{
		connection:   connection,
		stub:         pb.NewApprovalGateClient(connection),
		project:      settings.project,
		deadline:     settings.deadline,
		reconnectFor: settings.reconnectFor,
	}, nil
}

func dialOptions(parsed target, settings *connectSettings) []grpc.DialOption {
	transport := insecure.NewCredentials()
	if settings.tls != nil {
		transport = credentials.NewTLS(settings.tls)
	}
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(transport),
		grpc.WithUserAgent("haltgate-go/" + Version),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessageBytes)),
		// Retries are this package's: only it knows what may be sent twice.
		grpc.WithDisableRetry(),
		grpc.WithDisableServiceConfig(),
		// A gate that comes back is found within a second.
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 50 * time.Millisecond, Multiplier: 2, Jitter: 0.2, MaxDelay: time.Second},
			MinConnectTimeout: 5 * time.Second,
		}),
		// A connection that is dead without a word is found while a human is waited for.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 30 * time.Second, Timeout: 10 * time.Second}),
	}
	if parsed.unix {
		options = append(options, grpc.WithAuthority("localhost"))
	}
	if settings.token != "" {
		options = append(options, grpc.WithPerRPCCredentials(bearer(settings.token)))
	}
	return append(options, settings.dial...)
}

// bearer sends a token. Whether it may travel was checked when the connection was set up.
type bearer string

func (token bearer) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"authorization": "Bearer " + string(token)}, nil
}

func (bearer) RequireTransportSecurity() bool { return false }

// Close ends the connection. What is under way fails with a [GateUnavailableError].
func (client *Client) Close() error { return client.connection.Close() }

func (client *Client) isClosed() bool { return client.connection.GetState() == connectivity.Shutdown }

// Stub is the generated client on the same connection, for what has no method here. Its calls have no deadline, no
// retries and the errors of grpc-go.
func (client *Client) Stub() pb.ApprovalGateClient { return client.stub }

// ServerInfo says which server answers, and under which policy.
func (client *Client) ServerInfo(ctx context.Context) (*ServerInfo, error) {
	request := &pb.GetServerInfoRequest{Project: client.project}
	answer, err := invoke(ctx, client, repeatable, client.stub.GetServerInfo, request)
	if err != nil {
		return nil, err
	}
	return &ServerInfo{
		Version:         answer.GetVersion(),
		ContractVersion: answer.GetContractVersion(),
		Commit:          answer.GetCommit(),
		PolicyRevision:  answer.GetPolicyRevision(),
		PolicyLoadedAt:  moment(answer.GetPolicyLoadedAt()),
		StartedAt:       moment(answer.GetStartedAt()),
		Ephemeral:       answer.GetEphemeral(),
	}, nil
}

// ServerInfo says which server answers, and under which policy.
type ServerInfo struct {
	// Version of the server, as in "0.1.0".
	Version string
	// ContractVersion grows with each compatible addition, as in "v1.0".
	ContractVersion string
	// Commit that the server was built from. Empty when the build did not know.
	Commit string
	// PolicyRevision in force for the project.
	PolicyRevision string
	// PolicyLoadedAt is since when that revision is in force.
	PolicyLoadedAt time.Time
	// StartedAt is when the server became ready.
	StartedAt time.Time
	// Ephemeral is true when records and grants are gone with the process.
	Ephemeral bool
}
