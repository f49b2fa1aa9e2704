package haltgate_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/metadata"

	haltgate "github.com/haltgate/haltgate/clients/go"
)

// relay ends TLS in front of a gate, hands every request on, and notes what came with it.
type relay struct {
	address string
	lock    sync.Mutex
	seen    []metadata.MD
}

// untouched hands messages on as the bytes that they are.
type untouched struct{}

func (untouched) Name() string { return "proto" }

func (untouched) Marshal(message any) (mem.BufferSlice, error) {
	return *message.(*mem.BufferSlice), nil
}

func (untouched) Unmarshal(data mem.BufferSlice, message any) error {
	*message.(*mem.BufferSlice) = mem.BufferSlice{mem.SliceBuffer(data.Materialize())}
	return nil
}

func startRelay(t *testing.T, gate string, configuration *tls.Config) *relay {
	t.Helper()
	behind, err := grpc.NewClient(gate, grpc.WithTransportCredentials(insecure.NewCredentials()))
	must(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	front := &relay{address: listener.Addr().String()}
	server := grpc.NewServer(
		grpc.Creds(credentials.NewTLS(configuration)), grpc.ForceServerCodecV2(untouched{}),
		grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error { return front.hand(behind, stream) }))
	go func() {
		if err := server.Serve(listener); err != nil && !errors.Is(err, grpc.ErrServerStopped) {
			t.Error(err)
		}
	}()
	t.Cleanup(func() {
		server.Stop()
		must(t, behind.Close())
	})
	return front
}

func (front *relay) hand(behind *grpc.ClientConn, stream grpc.ServerStream) error {
	method, _ := grpc.MethodFromServerStream(stream)
	sent, _ := metadata.FromIncomingContext(stream.Context())
	front.lock.Lock()
	front.seen = append(front.seen, sent)
	front.lock.Unlock()
	description := &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}
	onward, err := behind.NewStream(stream.Context(), description, method, grpc.ForceCodecV2(untouched{}))
	if err != nil {
		return err
	}
	var message mem.BufferSlice
	if err := stream.RecvMsg(&message); err != nil {
		return err
	}
	if err := onward.SendMsg(&message); err != nil {
		return err
	}
	if err := onward.CloseSend(); err != nil {
		return err
	}
	for {
		var answer mem.BufferSlice
		if err := onward.RecvMsg(&answer); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := stream.SendMsg(&answer); err != nil {
			return err
		}
	}
}

// identity is a certificate with its key, made for this test, in PEM files.
type identity struct {
	certificate, key string
	pair             tls.Certificate
	pool             *x509.CertPool
	pem              []byte
}

func makeIdentity(t *testing.T, name string) identity {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, IsCA: true, BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	must(t, err)
	encoded, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	folder := t.TempDir()
	made := identity{
		certificate: filepath.Join(folder, "certificate.pem"), key: filepath.Join(folder, "key.pem"),
		pem: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}), pool: x509.NewCertPool(),
	}
	must(t, os.WriteFile(made.certificate, made.pem, 0o600))
	must(t, os.WriteFile(made.key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded}), 0o600))
	made.pair, err = tls.LoadX509KeyPair(made.certificate, made.key)
	must(t, err)
	made.pool.AppendCertsFromPEM(made.pem)
	return made
}

func TestATokenTravelsEncryptedWithEveryRequest(t *testing.T) {
	gate := serve(t, `{}`)
	ctx := bounded(t)
	ours := makeIdentity(t, "gate")
	front := startRelay(t, gate.address, &tls.Config{Certificates: []tls.Certificate{ours.pair}})
	client := connect(t, "https://"+front.address, haltgate.WithCAFile(ours.certificate), haltgate.WithToken("secret"))
	decision, err := client.Session("s").DecideShell(ctx, "ls")
	must(t, err)
	if !decision.Approved() {
		t.Errorf("not approved: %+v", decision)
	}
	for event, err := range client.WatchEscalations().Events(ctx) {
		must(t, err)
		if event.Kind == haltgate.SnapshotEnd {
			break
		}
	}
	front.lock.Lock()
	defer front.lock.Unlock()
	if len(front.seen) != 2 {
		t.Fatalf("%d requests came by", len(front.seen))
	}
	for _, sent := range front.seen {
		agent := fmt.Sprint(sent.Get("user-agent"))
		if fmt.Sprint(sent.Get("authorization")) != "[Bearer secret]" || agent[:len("[haltgate-go/")] != "[haltgate-go/" {
			t.Errorf("came with %v", sent)
		}
	}
}

func TestATraceIsHandedOnFromTheContextAndByWhatObserves(t *testing.T) {
	gate := serve(t, `{}`)
	ours := makeIdentity(t, "gate")
	front := startRelay(t, gate.address, &tls.Config{Certificates: []tls.Certificate{ours.pair}})
	observed := func(
		ctx context.Context, method string, request, answer any, connection *grpc.ClientConn, invoker grpc.UnaryInvoker,
		options ...grpc.CallOption,
	) error {
		noted := metadata.AppendToOutgoingContext(ctx, "tracestate", "observer=1")
		return invoker(noted, method, request, answer, connection, options...)
	}
	client := connect(t, "https://"+front.address, haltgate.WithCAFile(ours.certificate),
		haltgate.WithDialOptions(grpc.WithChainUnaryInterceptor(observed)))
	const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	ctx := metadata.AppendToOutgoingContext(bounded(t), "traceparent", trace)
	_, err := client.Session("s").DecideShell(ctx, "ls")
	must(t, err)
	front.lock.Lock()
	defer front.lock.Unlock()
	for _, sent := range front.seen {
		if fmt.Sprint(sent.Get("traceparent"), sent.Get("tracestate")) != "["+trace+"] [observer=1]" {
			t.Errorf("came with %v", sent)
		}
	}
	if len(front.seen) != 1 {
		t.Errorf("%d requests came by", len(front.seen))
	}
}

func TestOnlyTheCertificatesThatWereNamedAreBelieved(t *testing.T) {
	gate := serve(t, `{}`)
	ctx := bounded(t)
	ours, others := makeIdentity(t, "gate"), makeIdentity(t, "another")
	front := startRelay(t, gate.address, &tls.Config{
		Certificates: []tls.Certificate{ours.pair}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: others.pool,
	})
	cases := []struct {
		name    string
		options []haltgate.Option
		fine    bool
	}{
		{"the right ones", []haltgate.Option{
			haltgate.WithCACertificates(ours.pem), haltgate.WithClientCertificateFiles(others.certificate, others.key),
		}, true},
		{"no client certificate", []haltgate.Option{haltgate.WithCACertificates(ours.pem)}, false},
		{"another CA", []haltgate.Option{
			haltgate.WithCACertificates(others.pem), haltgate.WithClientCertificateFiles(others.certificate, others.key),
		}, false},
		{"the system's CAs", []haltgate.Option{
			haltgate.WithTLS(), haltgate.WithClientCertificateFiles(others.certificate, others.key),
		}, false},
	}
	for _, example := range cases {
		client := connect(t, front.address, example.options...)
		decision, err := client.Session("s").DecideShell(ctx, "ls", haltgate.WithoutWaiting())
		if decision.Approved() != example.fine {
			t.Errorf("%s: %v", example.name, err)
		}
		if !example.fine {
			unavailable(t, decision, err)
		}
	}
	for _, option := range []haltgate.Option{
		haltgate.WithCAFile("/nowhere"), haltgate.WithCACertificates([]byte("none")),
		haltgate.WithClientCertificateFiles("/nowhere", "/nowhere"), haltgate.WithDeadline(0),
	} {
		if _, err := haltgate.Connect(front.address, option); err == nil {
			t.Error("what cannot work is only found when it is used")
		}
	}
}
