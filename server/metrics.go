package server

import (
	"errors"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// measures are what is counted. Every label is of a small set of our own words:
// nothing that a visitor sends becomes one.
type measures struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	outcomes *prometheus.CounterVec
	fetches  *prometheus.CounterVec
}

// The outcomes of a submission.
const (
	outcomeReport   = "report"
	outcomeHeadline = "headline"
	outcomeCouldNot = "could_not"
	outcomeOther    = "other" // an offer, a refusal, a fault: the status tells them apart
)

func newMeasures(more []prometheus.Collector) (*measures, error) {
	m := &measures{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "manifestseal_requests_total", Help: "Answered requests."}, []string{"route", "method", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "manifestseal_request_duration_seconds", Help: "Time from a request's head to its answer.",
			Buckets: []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60},
		}, []string{"route"}),
		outcomes: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "manifestseal_submissions_total", Help: "Submissions by what became of them."}, []string{"route", "outcome"}),
		fetches:  prometheus.NewCounterVec(prometheus.CounterOpts{Name: "manifestseal_fetches_total", Help: "Fetched documents by outcome."}, []string{"outcome"}),
	}
	for _, c := range append([]prometheus.Collector{m.requests, m.duration, m.outcomes, m.fetches, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{})}, more...) {
		if err := m.registry.Register(c); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (m *measures) answered(route, method string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, method, strconv.Itoa(status)).Inc()
	m.duration.WithLabelValues(route).Observe(took.Seconds())
}

func (m *measures) became(route, outcome string) { m.outcomes.WithLabelValues(route, outcome).Inc() }

// serveMetrics answers on an address of its own until it is closed.
func serveMetrics(m *measures, listener net.Listener) *http.Server {
	routes := http.NewServeMux()
	routes.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	server := &http.Server{Handler: routes, ReadHeaderTimeout: 5 * time.Second, WriteTimeout: 30 * time.Second}
	go func() {
		if err := server.Serve(listener); err != nil && !errors.Is(err, http.ErrServerClosed) {
			m.became("/metrics", "ended")
		}
	}()
	return server
}
